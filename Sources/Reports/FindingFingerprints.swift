import Basics
import HTTPCodec
import JSON

/// Names findings so that the same one is known again after lines were added above it.
///
/// What names a finding is its rule, its file, its place in the document and its sentence; not its line. Findings
/// that share all of that are distinguished by a number. Numbers with a colon between, which are places in a sentence,
/// count as one word.
struct FindingFingerprints {
    private var uses: [UInt64: Int] = [:]

    /// The finding's name: sixteen hexadecimal digits, a colon and a number.
    mutating func next(for finding: Finding) -> String {
        var hash = StableHash()
        hash.combine(finding.id)
        hash.combine(finding.place?.file ?? "")
        hash.combine(finding.place?.pointer ?? "")
        hash.combine(finding.place?.operation ?? "")
        hash.combine(FindingFingerprints.withoutPlaces(finding.message))
        uses[hash.value, default: 0] += 1
        let digits = String(hash.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + ":\(uses[hash.value, default: 1])"
    }

    private static func withoutPlaces(_ message: String) -> String {
        message.split(separator: " ", omittingEmptySubsequences: false)
            .map { word in
                let isPlace =
                    word.utf8.contains(UInt8(ascii: ":"))
                    && word.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                    && word.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: ":")).contains($0) }
                return isPlace ? "#" : String(word)
            }
            .joined(separator: " ")
    }
}
