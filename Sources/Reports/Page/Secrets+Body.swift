import Basics

extension Secrets {
    /// A body, in lines where it is JSON.
    ///
    /// - Parameter limit: about how many bytes are required; a body may be large, and a page has little room.
    /// - Returns: the beginning of the body, and how many bytes of it were left out.
    static func body(_ body: String, limit: Int = .max) -> (text: String, left: Int) {
        let first = body.utf8.first { !" \t\r\n".utf8.contains($0) }
        if let first, "[{".utf8.contains(first) {
            var lines = JSONLines()
            let read = lines.append(body, limit: limit)
            return (lines.text, body.utf8.count - read)
        }
        // A token at the cut would not be known as one, so a little more is looked at than shown.
        let end = body.utf8.index(body.startIndex, offsetBy: min(limit, 1 << 20), limitedBy: body.endIndex)
        let cut = String(decoding: body.utf8[..<(end ?? body.endIndex)], as: UTF8.self)
        let isForm = cut.utf8.contains(UInt8(ascii: "=")) && !cut.utf8.contains(UInt8(ascii: " "))
        return (isForm ? pairs(cut[...], between: "&") : text(cut), body.utf8.count - cut.utf8.count)
    }
}
