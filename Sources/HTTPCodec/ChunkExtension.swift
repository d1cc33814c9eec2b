/// The grammar behind a chunk size: extensions are ignored, but only where it is sure that they are extensions.
enum ChunkExtension {
    /// `*( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )`, RFC 9112, section 7.1.1.
    static func check(_ line: UnsafeBufferPointer<UInt8>, from start: Int) throws(HTTPFault) {
        var index = start
        while index < line.count {
            let before = index
            skipSpace(line, &index)
            guard index < line.count, line[index] == 0x3B else {
                // Only spaces may have gone before the semicolon; spaces alone belong to the size.
                throw before == start ? .malformedChunkSize : .malformedChunkExtension
            }
            index += 1
            skipSpace(line, &index)
            guard skipToken(line, &index) else { throw .malformedChunkExtension }
            let afterName = index
            skipSpace(line, &index)
            guard index < line.count, line[index] == 0x3D else {
                index = afterName
                continue
            }
            index += 1
            skipSpace(line, &index)
            guard skipToken(line, &index) || skipQuotedString(line, &index) else { throw .malformedChunkExtension }
        }
    }

    private static func skipSpace(_ line: UnsafeBufferPointer<UInt8>, _ index: inout Int) {
        while index < line.count, ByteClass.isSpaceOrTab(line[index]) { index += 1 }
    }

    private static func skipToken(_ line: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
        let start = index
        while index < line.count, ByteClass.isToken(line[index]) { index += 1 }
        return index > start
    }

    private static func skipQuotedString(_ line: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
        guard index < line.count, line[index] == 0x22 else { return false }
        index += 1
        while index < line.count {
            let byte = line[index]
            index += 1
            if byte == 0x22 { return true }
            if byte == 0x5C {
                guard index < line.count, ByteClass.isFieldContent(line[index]) else { return false }
                index += 1
            } else if !ByteClass.isFieldContent(byte) {
                return false
            }
        }
        return false
    }
}
