/// The text of a ``YAMLReader``: the place that it has reached, and the scanning of white space, comments and scalars.
struct YAMLScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    private let document: Int32

    /// The next byte's number.
    var offset = 0
    /// The place where the line begins that `offset` is in.
    var lineStart = 0
    /// The offset of the first character that is not white space, when `offset` reached it from the line before.
    var contentStart = -1
    /// The spaces at the beginning of the line of `contentStart`.
    var spaces = 0
    /// A Boolean value that indicates whether a tab is in the white space that was skipped last, on the line where it
    /// ended.
    var sawTab = false
    /// Prefixes of tags by their handle, which directives declare for one document.
    var handles: [String: String] = [:]
    /// The bytes of a scalar that differs from its source, kept for reuse.
    var buffer: [UInt8] = []

    /// Characters that only quoted text may have.
    var unprintable: [Int] = []
    /// The first of them that no quoted text has been found around.
    var nextUnprintable = 0

    // The place up to which lines and columns have been counted.
    private var countedOffset = 0
    private var line = 1
    private var column = 1

    init(_ bytes: UnsafeBufferPointer<UInt8>, document: Int32) {
        (self.bytes, self.document) = (bytes, document)
    }

    // MARK: Places

    /// The place of a byte in the text.
    typealias Place = (offset: Int, position: JSONPosition)

    /// The place that has been reached.
    var place: Place {
        mutating get { (offset, position(of: offset)) }
    }

    /// Returns the position of a byte; called in text order, except for errors.
    mutating func position(of target: Int) -> JSONPosition {
        guard target >= countedOffset else { return recountedPosition(of: target) }
        count(to: target)
        return JSONPosition(document: document, line: Int32(clamping: line), column: Int32(clamping: column))
    }

    private mutating func count(to target: Int) {
        while countedOffset < target {
            let byte = bytes[countedOffset]
            countedOffset += 1
            if byte == .lineFeed
                || byte == .carriageReturn && !(countedOffset < bytes.count && bytes[countedOffset] == .lineFeed)
            {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }

    /// The number of an offset's line.
    func line(of offset: Int) -> Int { Int(recountedPosition(of: offset).line) }

    private func recountedPosition(of target: Int) -> JSONPosition {
        var copy = self
        copy.countedOffset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) && target >= 3 ? 3 : 0
        copy.line = 1
        copy.column = 1
        return copy.position(of: target)
    }

    /// A text, and each document in it, may begin with U+FEFF.
    mutating func skipByteOrderMark() {
        guard offset == lineStart, offset + 3 <= bytes.count else { return }
        guard bytes[offset] == 0xEF, bytes[offset + 1] == 0xBB, bytes[offset + 2] == 0xBF else { return }
        if nextUnprintable < unprintable.count, unprintable[nextUnprintable] == offset { nextUnprintable += 1 }
        if countedOffset == offset { countedOffset += 3 }
        offset += 3
        lineStart = offset
    }

    // MARK: Errors

    /// - Parameter place: the offset of the mistake, if not the one that has been reached.
    func error(_ reason: JSONSyntaxError.Reason, at place: Int? = nil) -> JSONSyntaxError {
        let offset = place ?? self.offset
        return JSONSyntaxError(reason, at: recountedPosition(of: offset), offset: offset)
    }

    /// The error for a character where a line should have ended.
    func textAfterValue() -> JSONSyntaxError {
        switch bytes[offset] {
        case UInt8(ascii: "#"): error(.yaml(.commentWithoutSpace), at: offset)
        case .colon where isBlank(at: offset + 1): error(.yaml(.mappingOnLine), at: offset)
        default: error(.yaml(.textAfterValue), at: offset)
        }
    }

    /// The error for a line that is indented less than what it continues.
    ///
    /// Mostly an end is missing where that begins, and the line is right.
    func continuationError(_ least: Int, of opening: Int) -> JSONSyntaxError {
        let isTab = sawTab && lineStart + spaces < bytes.count && bytes[lineStart + spaces] == .tab
        guard !isTab else { return error(.yaml(.tabIndentation), at: lineStart + spaces) }
        return error(.yaml(.openAcross(line: line(of: offset), least: least)), at: opening)
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
}
