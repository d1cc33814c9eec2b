package import Basics

/// The files that a scenario was read from, so that a position in a merged tree still names its file.
package struct SourceMap: Sendable {
    /// Paths as the user would write them; a ``JSONPosition``'s document number is an index into this list.
    private(set) package var paths: [String] = []

    package init() {}

    /// Registers a file and returns its document number.
    package mutating func add(_ path: String) -> Int32 {
        paths.append(path)
        return Int32(paths.count - 1)
    }

    package func path(of position: JSONPosition) -> String? {
        paths.indices.contains(Int(position.document)) ? paths[Int(position.document)] : nil
    }

    package func place(of position: JSONPosition) -> Place {
        Place(file: path(of: position), position: position.line > 0 ? position.text : nil)
    }
}
