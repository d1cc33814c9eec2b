import Basics

extension Finding {
    /// The line that editors and build servers read: `file:line:column: error: …`, with nothing between.
    ///
    /// An operation is left out where a file says better what is meant.
    var line: String {
        guard place?.file != nil else { return description }
        var bare = self
        bare.place?.operation = nil
        return bare.description
    }
}
