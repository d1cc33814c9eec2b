import ProjectFiles

/// The media types of the files that backends commonly send.
enum MediaTypes {
    /// The type by a file's extension; plain bytes where it says nothing.
    static func type(ofFile name: String) -> String {
        types[FilePath.fileExtension(of: name)] ?? "application/octet-stream"
    }

    private static let types = [
        "json": "application/json", "txt": "text/plain; charset=utf-8", "html": "text/html; charset=utf-8",
        "htm": "text/html; charset=utf-8", "xml": "application/xml", "csv": "text/csv; charset=utf-8",
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "png": "image/png",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "heic": "image/heic",
        "svg": "image/svg+xml", "pdf": "application/pdf", "mp4": "video/mp4", "mp3": "audio/mpeg",
        "zip": "application/zip", "woff2": "font/woff2",
    ]
}
