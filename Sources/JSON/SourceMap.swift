package import Basics

/// The files that a scenario was read from, so that a position in a merged tree still names its file.
package struct SourceMap: Sendable {
    /// Paths as the user would write them; a ``JSONPosition``'s document number is an index into this list.
    private(set) package var paths: [String] = []
    /// The replacement of line numbers for a text that no user has written, by document number.
    private var names: [Int32: PartNames] = [:]

    package init() {}

    /// Registers a file and returns its document number.
    ///
    /// - Parameter names: what its parts are called; `nil` where lines say where something is.
    package mutating func add(_ path: String, names: PartNames? = nil) -> Int32 {
        let document = Int32(paths.count)
        paths.append(path)
        self.names[document] = names
        return document
    }

    package func path(of position: JSONPosition) -> String? {
        paths.indices.contains(Int(position.document)) ? paths[Int(position.document)] : nil
    }

    package func place(of position: JSONPosition) -> Place {
        if position.isKnown, let name = names[position.document]?.name(at: position.text) { return Place(file: name) }
        return Place(file: path(of: position), position: position.isKnown ? position.text : nil)
    }
}
