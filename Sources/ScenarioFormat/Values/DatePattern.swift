import HTTPWire

/// A date format in Unicode pattern letters, such as `yyyy-MM-dd HH:mm:ss.SSS`.
///
/// The letters `y M d H m s S E` and quoted text are understood (Unicode Technical Standard 35, part 4); names are
/// English. That covers what backends send; an unknown letter is an error when the scenario is loaded.
package struct DatePattern: Sendable, Hashable {
    private enum Part: Sendable, Hashable {
        case literal(String)
        case year(width: Int)
        case month(width: Int)
        case day(width: Int)
        case hour(width: Int)
        case minute(width: Int)
        case second(width: Int)
        case fraction(width: Int)
        case weekday
    }

    private var parts: [Part] = []

    /// Reads a pattern; `nil` when it holds a letter that has no meaning here.
    package init?(_ text: String) {
        var rest = text.unicodeScalars[...]
        while let letter = rest.first {
            if letter == "'" {
                let quoted = rest.dropFirst().prefix { $0 != "'" }
                rest = rest.dropFirst(quoted.count + 2)
                parts.append(.literal(quoted.isEmpty ? "'" : String(quoted)))
                continue
            }
            let run = rest.prefix { $0 == letter }
            rest = rest.dropFirst(run.count)
            guard letter.isASCII, letter.properties.isAlphabetic else {
                parts.append(.literal(String(run)))
                continue
            }
            guard run.count <= 9, let part = Self.part(for: letter, width: run.count) else { return nil }
            parts.append(part)
        }
    }

    private static func part(for letter: Unicode.Scalar, width: Int) -> Part? {
        switch letter {
        case "y": .year(width: width)
        case "M": width <= 4 ? .month(width: width) : nil
        case "d": .day(width: width)
        case "H": .hour(width: width)
        case "m": .minute(width: width)
        case "s": .second(width: width)
        case "S": .fraction(width: width)
        case "E": .weekday
        default: nil
        }
    }

    /// Writes a moment in the local time of a zone that is so many seconds ahead of UTC.
    package func text(of time: VirtualTime, zone: Int) -> String {
        let local = time + .seconds(zone)
        let date = CalendarDate(secondsSince1970: local.seconds)
        let fraction = String(padding(Int(local.microseconds - local.seconds * 1_000_000), to: 6) + "000")
        return parts.map { part in
            switch part {
            case .literal(let text): text
            case .year(2): padding(Int(date.year % 100), to: 2)
            case .year(let width): padding(Int(date.year), to: width)
            case .month(3): String(Self.months[Int(date.month) - 1].prefix(3))
            case .month(4): Self.months[Int(date.month) - 1]
            case .month(let width): padding(Int(date.month), to: width)
            case .day(let width): padding(Int(date.day), to: width)
            case .hour(let width): padding(Int(date.hour), to: width)
            case .minute(let width): padding(Int(date.minute), to: width)
            case .second(let width): padding(Int(date.second), to: width)
            case .fraction(let width): String(fraction.prefix(width))
            case .weekday: Self.weekdays[Int(date.weekday)]
            }
        }.joined()
    }

    private func padding(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
}
