package import JSON

/// The JSON of a capture or of another tool's file, within limits.
package enum CapturedDocument {
    /// The maximum size, in bytes.
    package static let mostBytes = 128 << 20
    /// The maximum number of values, each of which takes 60 bytes of memory or more.
    package static let mostValues = 10_000_000

    /// Reads a document; some programs begin files with a byte order mark.
    ///
    /// - Parameters:
    ///   - number: the number of the document in the positions of its values.
    ///   - kind: the end of a sentence such as "this is not a HAR file, because it"; "the file" for a file of any kind.
    /// - Throws: where a limit is exceeded, or the text is not JSON.
    package static func root(
        of bytes: [UInt8],
        file: String,
        number: Int32 = 0,
        kind: String = "the file",
        advice: String? = nil
    ) throws(CaptureProblem) -> JSONValue {
        guard bytes.count <= mostBytes else {
            throw CaptureProblem(
                "the file is larger than the limit of \(mostBytes >> 20) MB for captures and imports",
                in: file,
                advice: "export part of the traffic"
            )
        }
        guard values(in: bytes) <= mostValues else {
            throw CaptureProblem(
                "the file contains more than \(mostValues) values, which is the limit for captures and imports",
                in: file,
                advice: "export part of the traffic"
            )
        }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        do {
            return try JSONParser(document: number, duplicateNames: .lastWins).parse(text).root
        } catch {
            throw CaptureProblem(
                "\(kind) is not valid JSON: \(error.sentence)",
                in: file,
                at: error.position,
                advice: advice
            )
        }
    }

    /// An upper bound of the number of values in a text, without reading them.
    private static func values(in bytes: [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var count = 1
            var index = 0
            var isText = false
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "\""): isText.toggle()
                case UInt8(ascii: "\\") where isText: index += 1
                case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): if !isText { count += 1 }
                default: break
                }
                index += 1
            }
            return count
        }
    }
}
