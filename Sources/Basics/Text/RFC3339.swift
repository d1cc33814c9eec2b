/// Timestamps such as `2024-02-29T23:59:59.5+09:00` (RFC 3339, section 5.6).
package enum RFC3339 {
    package struct Timestamp: Sendable, Hashable {
        package var secondsSince1970: Int64

        /// 0..<1,000,000,000; digits beyond the ninth are dropped.
        package var nanoseconds: Int
        package var offsetMinutes: Int

        /// Digits behind the point as they were written, 0 when there were none.
        package var fractionDigits: Int
    }

    /// Reads a date-time; `T` and `Z` in either case, no space between date and time.
    ///
    /// A leap second, `:60`, is taken where there can be one, at 23:59 UTC, and counts as the first of the next minute.
    package static func parse(_ text: String) -> Timestamp? {
        var scanner = DateScanner(text)
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2), scanner.skip("T") || scanner.skip("t"),
            let time = scanner.time()
        else { return nil }
        var fraction = (nanoseconds: 0, digits: 0)
        if scanner.skip(".") {
            guard let digits = scanner.fraction() else { return nil }
            fraction = digits
        }
        guard let offset = offset(&scanner), scanner.isAtEnd,
            let date = CalendarDate(year: year, month: month, day: day, time: time)
        else { return nil }
        let seconds = date.secondsSince1970 - Int64(offset) * 60
        if time.second == 60 {
            let before = CalendarDate(secondsSince1970: seconds - 1)
            guard before.hour == 23, before.minute == 59 else { return nil }
        }
        return Timestamp(
            secondsSince1970: seconds,
            nanoseconds: fraction.nanoseconds,
            offsetMinutes: offset,
            fractionDigits: fraction.digits
        )
    }

    /// Writes a moment as the clocks at that offset show it; `Z` for none.
    ///
    /// Years are clamped to 0...9999.
    ///
    /// - Parameters:
    ///   - fractionDigits: 0...9; further digits of the nanoseconds are cut off, not rounded.
    ///   - offsetMinutes: Clamped to less than a day.
    package static func format(
        secondsSince1970: Int64,
        nanoseconds: Int = 0,
        fractionDigits: Int = 0,
        offsetMinutes: Int = 0
    ) -> String {
        let offset = min(max(offsetMinutes, -1_439), 1_439)
        let years = CalendarDate.fourDigitYears
        let local = secondsSince1970.clamped(to: years) + Int64(offset) * 60
        let date = CalendarDate(secondsSince1970: local.clamped(to: years))
        var text: [UInt8] = []
        text.reserveCapacity(35)
        text.append(decimal: date.year, width: 4)
        text.append(0x2D)
        text.append(decimal: date.month, width: 2)
        text.append(0x2D)
        text.append(decimal: date.day, width: 2)
        text.append(0x54)
        text.append(timeOf: date)
        let digits = min(max(fractionDigits, 0), 9)
        if digits > 0 {
            var fraction = min(max(nanoseconds, 0), 999_999_999)
            for _ in digits..<9 { fraction /= 10 }
            text.append(0x2E)
            text.append(decimal: fraction, width: digits)
        }
        appendOffset(offset, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func appendOffset(_ offset: Int, to text: inout [UInt8]) {
        guard offset != 0 else {
            text.append(0x5A)
            return
        }
        text.append(offset < 0 ? 0x2D : 0x2B)
        text.append(decimal: abs(offset) / 60, width: 2)
        text.append(0x3A)
        text.append(decimal: abs(offset) % 60, width: 2)
    }

    private static func offset(_ scanner: inout DateScanner) -> Int? {
        if scanner.skip("Z") || scanner.skip("z") { return 0 }
        let isEast = scanner.skip("+")
        guard isEast || scanner.skip("-"), let hours = scanner.number(digits: 2), scanner.skip(":"),
            let minutes = scanner.number(digits: 2), 0...23 ~= hours, 0...59 ~= minutes
        else { return nil }
        return (isEast ? 1 : -1) * (hours * 60 + minutes)
    }
}
