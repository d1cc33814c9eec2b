import Basics
import HTTPCodec

/// A file's path as the URI reference that SARIF wants (RFC 3986, section 4.1).
enum ArtifactURI {
    /// Relative paths stay relative; an absolute one becomes a `file` URI.
    static func text(of path: String) -> String {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        // A colon in the first segment would end a scheme, so none is left anywhere.
        return (isAbsolute ? "file://" : "") + PercentEncoding.encode(path, allowing: "/")
    }
}
