import Basics

/// A file that is read in place of a URL, or a folder in place of all URLs that begin with one.
package struct URLMapping: Sendable, Hashable {
    /// The URL without a fragment; one that ends with a slash means all below it.
    package let url: String
    /// The path of the file or folder, as the user wrote it.
    package let path: String
    /// The resolved path of the folder with a slash at its end; `nil` for a file, and before ``resolved(in:)``.
    private var folder: String?

    /// Reads `URL=PATH`.
    ///
    /// - Returns: `nil` for a text without either, or with a URL that is not absolute.
    package init?(_ text: String) {
        guard let mark = text.utf8.lastIndex(of: UInt8(ascii: "=")) else { return nil }
        url = String(text[..<mark])
        path = String(decoding: text.utf8[mark...].dropFirst(), as: UTF8.self)
        guard FileURI.scheme(of: url) != nil || url.utf8.starts(with: "//".utf8), !url.utf8.contains(UInt8(ascii: "#")),
            !path.isEmpty
        else { return nil }
    }

    /// The mapping by which the files below its folder are found, also through symbolic links.
    func resolved(in files: any FileReading) -> URLMapping {
        var mapping = self
        guard meansFolder, let resolved = files.resolve(path), files.isFolder(resolved) else { return mapping }
        mapping.folder = resolved.utf8.last == UInt8(ascii: "/") ? resolved : resolved + "/"
        return mapping
    }

    private var meansFolder: Bool { url.utf8.last == UInt8(ascii: "/") }

    /// The URL that a file below a mapped folder is read in place of, if any.
    ///
    /// - Parameter file: A resolved path.
    func url(of file: String) -> String? {
        guard let folder, file.utf8.starts(with: folder.utf8) else { return nil }
        return url + FileURI.encoded(String(decoding: file.utf8.dropFirst(folder.utf8.count), as: UTF8.self))
    }

    /// The path of the file that is mapped to a URL, if any.
    func path(of other: String) -> String? {
        if other.exact == url.exact { return path }
        guard meansFolder, other.utf8.starts(with: url.utf8) else { return nil }
        let rest = String(decoding: other.utf8.dropFirst(url.utf8.count), as: UTF8.self)
        // An absolute path would leave the folder.
        return rest.utf8.first == UInt8(ascii: "/") ? nil : FilePath.join(path, rest)
    }
}
