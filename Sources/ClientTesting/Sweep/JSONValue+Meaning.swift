import Basics
import HTTPCodec
import JSON

extension JSONValue {
    /// Whether another text says the same in other letters, because it was written anew by a type that clients have for
    /// such texts.
    func meansTheSame(as other: JSONValue) -> Bool {
        guard let one = string, let two = other.string else { return false }
        return one.isSameUUID(as: two) || one.isSameMoment(as: two)
    }
}

extension String {
    /// In either case (RFC 9562, section 4).
    fileprivate func isSameUUID(as other: String) -> Bool {
        guard utf8.count == 36, other.utf8.count == 36 else { return false }
        return zip(utf8, other.utf8).enumerated().allSatisfy { index, digits in
            if [8, 13, 18, 23].contains(index) { return digits.0 == 0x2D && digits.1 == 0x2D }
            guard let one = Character(Unicode.Scalar(digits.0)).hexDigitValue else { return false }
            return one == Character(Unicode.Scalar(digits.1)).hexDigitValue
        }
    }

    /// Within the millisecond to which such texts are usually written.
    fileprivate func isSameMoment(as other: String) -> Bool {
        guard let one = RFC3339.parse(self), let two = RFC3339.parse(other) else { return false }
        let (seconds, isFar) = one.secondsSince1970.subtractingReportingOverflow(two.secondsSince1970)
        guard !isFar, -1...1 ~= seconds else { return false }
        return abs(Int(seconds) * 1_000_000_000 + one.nanoseconds - two.nanoseconds) <= 1_000_000
    }
}
