/// A moment of the proleptic Gregorian calendar in UTC, without leap seconds.
package struct CalendarDate: Sendable, Hashable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int

    /// 60 only when it was given so.
    package let second: Int

    private static let secondsPerDay: Int64 = 86_400

    /// Days from 0000-03-01, where the count of years below starts, to 1970-01-01.
    private static let daysToEpoch: Int64 = 719_468
    private static let daysPerEra: Int64 = 146_097

    /// Every 64-bit number of seconds is a moment; the years reach to about ±292 thousand million.
    package init(secondsSince1970 seconds: Int64) {
        let (days, secondOfDay) = Self.floorDivide(seconds, by: Self.secondsPerDay)
        // Years are counted from March, so that the leap day is the last of its year, in eras of 400 years.
        let (era, dayOfEra) = Self.floorDivide(days + Self.daysToEpoch, by: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = Int(era * 400 + yearOfEra + (month <= 2 ? 1 : 0))
        self.month = Int(month)
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        hour = Int(secondOfDay / 3_600)
        minute = Int(secondOfDay / 60 % 60)
        second = Int(secondOfDay % 60)
    }

    /// `nil` when there is no such moment.
    ///
    /// The second may be 60, which counts as the first of the next minute.
    ///
    /// Years are taken within ±292,000,000,000, so that every such date has its number of seconds.
    package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard -292_000_000_000...292_000_000_000 ~= year, 1...12 ~= month,
            1...Self.days(inMonth: month, of: year) ~= day,
            0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The date of a time of day as a scanner reads it; `nil` when there is no such moment.
    package init?(year: Int, month: Int, day: Int, time: DateScanner.Time) {
        self.init(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    /// The seconds since 1970 of the years 0 to 9999, which four digits can say.
    package static let fourDigitYears: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    package var secondsSince1970: Int64 {
        let days = daysSince1970
        let seconds = Int64(hour * 3_600 + minute * 60 + second)
        // Within the first day that 64 bits reach, the product alone lies beyond them.
        let (borrowed, rest) = days < 0 ? (days + 1, seconds - Self.secondsPerDay) : (days, seconds)
        return borrowed * Self.secondsPerDay + rest
    }

    /// 0 is Sunday, 6 is Saturday.
    package var weekday: Int {
        // 1970-01-01 was a Thursday.
        Int(Self.floorDivide(daysSince1970 + 4, by: 7).remainder)
    }

    package static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private var daysSince1970: Int64 {
        let (era, yearOfEra) = Self.floorDivide(Int64(month <= 2 ? year - 1 : year), by: 400)
        let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.daysToEpoch
    }

    private static func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension [UInt8] {
    /// Appends the time of day as `08:49:37`.
    mutating func append(timeOf date: CalendarDate) {
        append(decimal: date.hour, width: 2)
        append(0x3A)
        append(decimal: date.minute, width: 2)
        append(0x3A)
        append(decimal: date.second, width: 2)
    }
}

extension Int64 {
    package func clamped(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
