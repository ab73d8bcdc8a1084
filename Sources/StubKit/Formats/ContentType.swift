import Foundation

/// The media types that the builders of responses know.
enum ContentType {
  static let json = "application/json"
  static let form = "application/x-www-form-urlencoded"
  static let events = "text/event-stream"
  static let text = "text/plain; charset=utf-8"

  /// Returns the media type for an extension in any case, or `nil` if it is unknown. Text types declare UTF-8.
  static func forExtension(_ fileExtension: String) -> String? { types[fileExtension.lowercased()] }

  private static let types: [String: String] = [
    "atom": "application/atom+xml",
    "bin": "application/octet-stream",
    "geojson": "application/geo+json",
    "gz": "application/gzip",
    "json": json,
    "jsonl": "application/jsonl",
    "jsonld": "application/ld+json",
    "m3u8": "application/vnd.apple.mpegurl",
    "ndjson": "application/x-ndjson",
    "pb": "application/x-protobuf",
    "pdf": "application/pdf",
    "plist": "application/x-plist",
    "rss": "application/rss+xml",
    "tar": "application/x-tar",
    "wasm": "application/wasm",
    "xhtml": "application/xhtml+xml",
    "xml": "application/xml",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "zip": "application/zip",

    "aac": "audio/aac",
    "m4a": "audio/mp4",
    "mp3": "audio/mpeg",
    "oga": "audio/ogg",
    "ogg": "audio/ogg",
    "wav": "audio/wav",

    "otf": "font/otf",
    "ttf": "font/ttf",
    "woff": "font/woff",
    "woff2": "font/woff2",

    "avif": "image/avif",
    "bmp": "image/bmp",
    "gif": "image/gif",
    "heic": "image/heic",
    "ico": "image/vnd.microsoft.icon",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "png": "image/png",
    "svg": "image/svg+xml",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "webp": "image/webp",

    "css": "text/css; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "htm": "text/html; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "ics": "text/calendar; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "txt": text,
    "vtt": "text/vtt; charset=utf-8",

    "mov": "video/quicktime",
    "mp4": "video/mp4",
    "mpeg": "video/mpeg",
    "ts": "video/mp2t",
    "webm": "video/webm",
  ]
}
