package import Basics

/// Files of which some have other contents, or which have further files.
package struct ChangedFiles: FileReading {
    private let files: any FileReading
    private var contents: [String: [UInt8]] = [:]

    package init(_ files: any FileReading, _ contents: [String: [UInt8]]) {
        self.files = files
        for (path, bytes) in contents { self.contents[files.resolve(path) ?? path] = bytes }
    }

    package init(_ files: any FileReading, _ texts: [String: String]) {
        self.init(files, texts.mapValues { Array($0.utf8) })
    }

    package func resolve(_ path: String) -> String? { files.resolve(path) ?? (contents[path] != nil ? path : nil) }

    package func read(_ path: String) throws(FileProblem) -> [UInt8] {
        if let bytes = contents[path] ?? files.resolve(path).flatMap({ contents[$0] }) { return bytes }
        return try files.read(path)
    }

    package func entries(of folder: String) -> [String] { files.entries(of: folder) }

    package func isFolder(_ path: String) -> Bool { files.isFolder(path) }

    package func names(in path: String) -> PartNames? { files.names(in: path) }
}
