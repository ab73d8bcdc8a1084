import Foundation

/// The media types that the builders of responses know.
package enum ContentType {
  package static let json = "application/json"
  package static let events = "text/event-stream"
  package static let text = "text/plain; charset=utf-8"

  /// Returns the media type for a file extension, or `nil` if it is unknown. Case doesn't matter. Text types declare
  /// UTF-8.
  package static func forExtension(_ fileExtension: String) -> String? { types[fileExtension.lowercased()] }

  private static let types: [String: String] = [
    "aac": "audio/aac",
    "atom": "application/atom+xml",
    "avif": "image/avif",
    "bin": "application/octet-stream",
    "bmp": "image/bmp",
    "css": "text/css; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "geojson": "application/geo+json",
    "gif": "image/gif",
    "gz": "application/gzip",
    "heic": "image/heic",
    "htm": "text/html; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "ico": "image/vnd.microsoft.icon",
    "ics": "text/calendar; charset=utf-8",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "text/javascript; charset=utf-8",
    "json": json,
    "jsonl": "application/jsonl",
    "jsonld": "application/ld+json",
    "m3u8": "application/vnd.apple.mpegurl",
    "m4a": "audio/mp4",
    "md": "text/markdown; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "mov": "video/quicktime",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "mpeg": "video/mpeg",
    "ndjson": "application/x-ndjson",
    "oga": "audio/ogg",
    "ogg": "audio/ogg",
    "otf": "font/otf",
    "pb": "application/x-protobuf",
    "pdf": "application/pdf",
    "plist": "application/x-plist",
    "png": "image/png",
    "rss": "application/rss+xml",
    "svg": "image/svg+xml",
    "tar": "application/x-tar",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "ts": "video/mp2t",
    "ttf": "font/ttf",
    "txt": text,
    "vtt": "text/vtt; charset=utf-8",
    "wasm": "application/wasm",
    "wav": "audio/wav",
    "webm": "video/webm",
    "webp": "image/webp",
    "woff": "font/woff",
    "woff2": "font/woff2",
    "xhtml": "application/xhtml+xml",
    "xml": "application/xml",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "zip": "application/zip",
  ]
}
