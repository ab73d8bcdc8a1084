import Foundation

/// The media types that the builders of responses know.
enum ContentType {
  static let json = "application/json"
  static let form = "application/x-www-form-urlencoded"
  static let events = "text/event-stream"
  static let text = "text/plain; charset=utf-8"

  /// Returns the media type for an extension in any case, or `nil` if it is unknown. Text types declare UTF-8.
  static func forExtension(_ fileExtension: String) -> String? { types[fileExtension.lowercased()] }

  private static let types = Dictionary(
    uniqueKeysWithValues: subtypes.flatMap { type, list in
      list.split(separator: " ").map { pair in
        let (fileExtension, subtype) = pair.cut(at: "=") ?? (pair, pair)
        return (String(fileExtension), "\(type)/\(subtype)\(type == "text" ? "; charset=utf-8" : "")")
      }
    })

  /// The extensions of each type. What follows an equals sign is the subtype, if it has another name.
  private static let subtypes = [
    "application": """
    atom=atom+xml bin=octet-stream geojson=geo+json gz=gzip json jsonl jsonld=ld+json m3u8=vnd.apple.mpegurl \
    ndjson=x-ndjson pb=x-protobuf pdf plist=x-plist rss=rss+xml tar=x-tar wasm xhtml=xhtml+xml xml yaml yml=yaml zip
    """,
    "audio": "aac m4a=mp4 mp3=mpeg oga=ogg ogg wav",
    "font": "otf ttf woff woff2",
    "image": "avif bmp gif heic ico=vnd.microsoft.icon jpeg jpg=jpeg png svg=svg+xml tif=tiff tiff webp",
    "text": "css csv htm=html html ics=calendar js=javascript md=markdown mjs=javascript txt=plain vtt",
    "video": "mov=quicktime mp4 mpeg ts=mp2t webm",
  ]
}
