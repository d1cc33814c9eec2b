public import Foundation

extension KiwIT {
    /// A moment in Korean time, with as many digits of the second as the server has for it.
    ///
    /// The server leaves out zeros at the end, so there may be none to nine of them. The text is kept as it came, and
    /// a row can always be shown, whether or not the text is understood.
    public struct LocalDateTime: TextValue {
        /// The moment as the server writes it, such as `2024-09-22T20:26:11.123456`.
        public let text: String

        /// A moment as the server writes it.
        public init(_ text: String) {
            self.text = text
        }

        /// The moment; `nil` when the text is none that the server writes.
        public var date: Date? {
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let seconds = parts.first.flatMap(Self.wholeSeconds) else { return nil }
            guard parts.count == 2 else { return seconds }
            let digits = parts[1].utf8
            guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
                let fraction = Double("0." + parts[1])
            else { return nil }
            return seconds.addingTimeInterval(fraction)
        }

        private static func wholeSeconds(_ text: Substring) -> Date? {
            let bytes = Array(text.utf8)
            let layout = Array("0000-00-00T00:00:00".utf8)
            guard bytes.count == layout.count else { return nil }
            var numbers = [0]
            for (byte, sign) in zip(bytes, layout) {
                if sign == 0x30 {
                    guard (0x30...0x39).contains(byte) else { return nil }
                    numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - 0x30)
                } else {
                    guard byte == sign else { return nil }
                    numbers.append(0)
                }
            }
            var calendar = Calendar(identifier: .gregorian)
            guard let korea = TimeZone(identifier: "Asia/Seoul") ?? TimeZone(secondsFromGMT: 9 * 3600) else {
                return nil
            }
            calendar.timeZone = korea
            let components = DateComponents(
                year: numbers[0],
                month: numbers[1],
                day: numbers[2],
                hour: numbers[3],
                minute: numbers[4],
                second: numbers[5]
            )
            return components.isValidDate(in: calendar) ? calendar.date(from: components) : nil
        }
    }
}
