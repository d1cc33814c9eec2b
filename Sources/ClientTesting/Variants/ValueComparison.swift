import Basics
import Checking
import HTTPCodec
import JSON
import JSONSchema

/// The difference between a value and the client's result, member by member.
struct ValueComparison {
    /// Something that did not come back as it was sent.
    struct Difference: Sendable, Equatable {
        /// In the response's body.
        var place: JSONPointer
        /// The change: `9007199254740993 became 9007199254740992`.
        var words: String
    }

    private(set) var differences: [Difference] = []
    private let freedoms: VariantFreedoms
    /// Enough to say what is wrong; one value can differ in thousands of places.
    private static let limit = 50

    /// Compares what was sent with what came back.
    ///
    /// Members that came back and were not sent do not matter, and null counts as absent. What is absent may be the
    /// documented default or an empty list or map. A moment may be in another time zone, have other digits or be a number, a UUID
    /// may be in the other case, and `created_at` may be `createdAt`.
    ///
    /// - Parameter place: the place of both in the response's body.
    init(
        _ sent: JSONValue?,
        _ returned: JSONValue?,
        at place: JSONPointer,
        _ freedoms: VariantFreedoms = VariantFreedoms()
    ) {
        self.freedoms = freedoms
        compare(sent, returned, at: place)
    }

    /// Recursive, as variants are never deep.
    private mutating func compare(_ sent: JSONValue?, _ returned: JSONValue?, at place: JSONPointer) {
        guard differences.count < Self.limit else { return }
        let returned = returned?.isNull == true ? nil : returned
        guard let sent, !sent.isNull else {
            guard let returned, returned.array?.isEmpty != true, returned.object?.isEmpty != true,
                returned != freedoms.defaults[freedoms.general(place)]
            else { return }
            add("\(sent == nil ? "nothing" : "null") became \(returned.brief)", at: place)
            return
        }
        switch (sent.content, returned?.content) {
        case (.object(let sent), .object(let returned)):
            let general = freedoms.general(place)
            for member in sent.members {
                let place = place.appending(member.name)
                // Decoders convert the names of properties, but not the keys of a map.
                guard freedoms.isEntry(member.name, of: general) == true else {
                    compare(member.value, returned.kept(member.name), at: place)
                    continue
                }
                if let kept = returned[member.name] ?? (member.value.isNull ? .null : nil) {
                    compare(member.value, kept, at: place)
                } else {
                    add("\(member.value.brief) became nothing", at: place)
                }
            }
        // Its opposite is an error, so that a value says it by being there.
        case (.bool(true), nil) where ReportedErrors.isFlagOfSuccess(place.tokens.last ?? ""): break
        // A client that returns nothing at all has kept no member, and each may be left out with a reason.
        case (.object(let sent), nil) where !sent.isEmpty:
            for member in sent.members { compare(member.value, nil, at: place.appending(member.name)) }
        case (.object(let sent), nil) where sent.isEmpty && place.isRoot: break
        case (.array(let sent), .array(let returned)) where sent.count == returned.count:
            let returned =
                freedoms.sets.contains(freedoms.general(place)) ? ordered(returned, like: sent, at: place) : returned
            for (index, (sent, returned)) in zip(sent, returned).enumerated() {
                compare(sent, returned, at: place.appending(index))
            }
        case (.array(let sent), .array(let returned)):
            add("\(plural(sent.count, "element")) became \(returned.count)", at: place)
        default:
            let general = freedoms.general(place)
            if sent == returned || returned.map({ isSame(sent, $0, at: general) }) == true { return }
            var words = "\(sent.brief) became \(returned?.brief ?? "nothing")"
            if let unit = freedoms.timeUnits[general], returned.map(sent.meansTheSame) == true {
                words += ", a date read in another unit than the \(unit) of the documented example"
            }
            add(words, at: place)
        }
    }

    /// Returns whether a client may keep one scalar as another.
    ///
    /// - Parameter place: with a star for each element and for each entry of a map.
    private func isSame(_ sent: JSONValue, _ returned: JSONValue, at place: JSONPointer) -> Bool {
        // Amounts lose the zeros that only a pattern allows.
        if let text = sent.string, let other = returned.string,
            text.isDecimal(withLeadingZerosOf: other) || text.isZero(withMinusOf: other)
        {
            return true
        }
        if sent.meansTheSame(as: returned, in: freedoms.timeUnits[place]) { return true }
        // A date has a fraction of a second that is rounded, and none at the bounds of 64 bits.
        let isDate = freedoms.dates.contains(place) || freedoms.timeUnits[place] != nil
        if isDate, let one = sent.number?.double, let two = returned.number?.double {
            if abs(one - two) <= (abs(one) > 0x1p52 ? abs(one) * 1e-12 : JSONValue.lostTime) { return true }
        }
        if let one = sent.string?.duration, let two = returned.duration, one.mayBe(two) { return true }
        // Units are converted and converted back.
        if let one = sent.number?.double, let two = returned.number?.double, abs(one) < 0x1p52, two != two.rounded(),
            abs(one - two) <= 4 * one.ulp
        {
            return true
        }
        if let sent = sent.number?.double, let returned = returned.number?.double, Float(sent) == Float(returned) {
            return freedoms.floats.contains(place)
        }
        guard let text = sent.string, freedoms.numbersInTexts.contains(place) else { return false }
        return JSONNumber(text.withoutLeadingZeros).map {
            $0 == returned.number ?? returned.string.flatMap { JSONNumber($0.withoutLeadingZeros) }
        } ?? false
    }

    /// The elements of a set in the order in which they were sent; as they came back if they are others.
    private func ordered(_ returned: [JSONValue], like sent: [JSONValue], at place: JSONPointer) -> [JSONValue] {
        var rest = returned
        var ordered: [JSONValue] = []
        for (index, element) in sent.enumerated() {
            let same = rest.firstIndex {
                ValueComparison(element, $0, at: place.appending(index), freedoms).differences.isEmpty
            }
            guard let same else { return returned }
            ordered.append(rest.remove(at: same))
        }
        return ordered
    }

    private mutating func add(_ words: String, at place: JSONPointer) {
        differences.append(Difference(place: place, words: words))
    }
}

extension JSONValue {
    /// The value on one short line.
    var brief: String {
        switch content {
        case .object(let object): object.isEmpty ? "{}" : "an object"
        case .array(let elements): elements.isEmpty ? "[]" : "an array"
        default: text().shortened
        }
    }
}

extension JSONValue {
    /// Returns whether another value has the same meaning, because it was rewritten by a type that clients have for such
    /// values.
    ///
    /// - Parameter unit: the unit of a number that is a date; either one if `nil`.
    func meansTheSame(as other: JSONValue, in unit: TimeUnit?) -> Bool {
        if let one = string, let two = other.string, one.isSameUUID(as: two) { return true }
        if let day, other.day == nil, let moment = other.moment ?? other.number.map({ $0.double + Self.referenceDate })
        {
            return abs(day - moment) <= max(Self.widestZone, Self.lostTime(at: day))
        }
        switch (moment, other.moment) {
        case (let one?, let two?): return abs(one - two) < Self.lostTime(at: one)
        case (let one?, nil):
            guard let number = other.number?.double else { return false }
            return [number, number / 1_000, number + Self.referenceDate].contains { moment in
                abs(one - moment) < Self.lostTime(at: one)
            }
        case (nil, let two?):
            guard let number = number?.double else { return false }
            return Self.moments(of: number, in: unit).contains { abs($0 - two) < Self.lostTime }
        case (nil, nil):
            guard let one = number?.double, let two = other.number?.double else { return false }
            // Conversions to another reference date round seconds that have a fraction. Smaller numbers are counts and
            // amounts, and a `Double` beyond 2^52 has no fraction.
            if (1e8...0x1p52).contains(abs(one)), abs(one - two) < Self.lostTime {
                return one != one.rounded() || two != two.rounded()
            }
            return Self.moments(of: one, in: unit).contains { moment in
                abs(moment - two - Self.referenceDate) < max(Self.lostTime, 2 * moment.ulp)
            }
        }
    }

    func meansTheSame(as other: JSONValue) -> Bool { meansTheSame(as: other, in: nil) }

    /// A duration as clients keep it: a text, a number of seconds, or the two halves of the attoseconds as which Swift's
    /// `Duration` is encoded.
    fileprivate var duration: DurationParts? {
        if let text = string { return text.duration }
        if let seconds = number?.double { return DurationParts(months: 0, seconds: seconds) }
        guard let halves = array?.compactMap(\.number?.double), halves.count == 2 else { return nil }
        return DurationParts(months: 0, seconds: (halves[0] * 0x1p64 + halves[1]) / 1e18)
    }

    /// The moments that a number may be, in seconds since 1970.
    private static func moments(of number: Double, in unit: TimeUnit?) -> [Double] {
        switch unit {
        case .seconds: [number]
        case .milliseconds: [number / 1_000]
        case nil: [number, number / 1_000]
        }
    }

    /// Formatters cut texts off at the millisecond, and a `Double` has often a little less than that, in seconds.
    fileprivate static let lostTime = 0.002
    /// The reference date of Foundation's `Date`, in seconds since 1970: encoders write numbers since then by default.
    private static let referenceDate = 978_307_200.0

    /// The moment that a text means by RFC 3339, in seconds since 1970.
    private var moment: Double? { string.flatMap(Self.moment) }

    /// The first moment of a day at Greenwich, for a text that is a date without a time.
    private var day: Double? { string.flatMap { $0.utf8.count == 10 ? Self.moment(of: $0 + "T00:00:00Z") : nil } }

    private static func moment(of text: String) -> Double? {
        RFC3339.parse(text).map { Double($0.secondsSince1970) + Double($0.nanoseconds) / 1e9 }
    }

    /// The difference that a formatter may make: before 1582, some of Foundation's count in the Julian calendar.
    private static func lostTime(at moment: Double) -> Double {
        moment < startOfGregorianCalendar ? 15 * 86_400 : lostTime
    }

    /// 15 October 1582, in seconds since 1970.
    private static let startOfGregorianCalendar = -12_219_292_800.0
    /// A date without a time begins at midnight in the client's time zone, which is up to 14 hours from Greenwich.
    private static let widestZone = 14 * 3_600.0
}

extension JSONObject {
    /// The member that a client has made of one of a response: under the same name, or the name in camel case.
    func kept(_ name: String) -> JSONValue? { self[name] ?? self[name.inCamelCase] }
}

extension JSONValue {
    /// The value at a place of a response in what a client has made of the response.
    func kept(at place: some Sequence<String>) -> JSONValue? {
        place.reduce(self as JSONValue?) { value, token in
            value?.object.map { $0.kept(token) } ?? value.flatMap(JSONPointer(tokens: [token]).value)
        }
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

    /// A number without the zeros that only a pattern allows.
    fileprivate var withoutLeadingZeros: String {
        let digits = hasPrefix("-") ? dropFirst() : self[...]
        let rest = digits.drop { $0 == "0" }
        let isFraction = rest.isEmpty || rest.first == "."
        return (hasPrefix("-") ? "-" : "") + (isFraction && digits.first == "0" ? "0" : "") + rest
    }

    /// A duration (ISO 8601-1, 5.5.2); `nil` for another text.
    fileprivate var duration: DurationParts? {
        guard first == "P", utf8.count > 2 else { return nil }
        var (months, seconds, digits, isTime) = (0.0, 0.0, "", false)
        for character in dropFirst() {
            if character.isNumber || character == "." {
                digits.append(character)
            } else if character == "T", digits.isEmpty, !isTime {
                isTime = true
            } else {
                guard let number = Double(digits) else { return nil }
                digits = ""
                switch (character, isTime) {
                case ("Y", false): months += 12 * number
                case ("M", false): months += number
                case ("W", false): seconds += 604_800 * number
                case ("D", false): seconds += 86_400 * number
                case ("H", true): seconds += 3_600 * number
                case ("M", true): seconds += 60 * number
                case ("S", true): seconds += number
                default: return nil
                }
            }
        }
        return digits.isEmpty ? DurationParts(months: months, seconds: seconds) : nil
    }

    /// Returns whether it is a number with a fraction that only zeros at its beginning distinguish from another one.
    fileprivate func isDecimal(withLeadingZerosOf other: String) -> Bool {
        let (sign, digits) = hasPrefix("-") ? ("-", dropFirst()) : ("", self[...])
        let rest = digits.drop { $0 == "0" }
        guard digits.first == "0", digits.contains("."),
            JSONNumber("0" + rest) != nil || JSONNumber(String(rest)) != nil
        else { return false }
        return other == sign + rest || other == sign + "0" + rest
    }

    /// Returns whether it is a zero that only a minus distinguishes from another one.
    fileprivate func isZero(withMinusOf other: String) -> Bool {
        exact == "-\(other)".exact && JSONNumber(other)?.double == 0
    }

    /// As decoders that convert from snake case name a member.
    var inCamelCase: String {
        let words = split(separator: "_")
        guard words.count > 1 else { return self }
        return prefix { $0 == "_" } + words[0].lowercased()
            + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined()
    }
}

/// The parts of a duration, of which months have no certain number of days.
private struct DurationParts {
    var months: Double
    var seconds: Double

    /// Returns whether a client may keep the duration as another one, for example in seconds, with months of 28 to 31 days.
    func mayBe(_ other: DurationParts) -> Bool {
        if other.months == months { return abs(other.seconds - seconds) <= 4 * seconds.ulp }
        let days = other.months == 0 ? 28.0...31.0 : 0...0
        return (seconds + months * days.lowerBound * 86_400)...(seconds + months * days.upperBound * 86_400)
            ~= other.seconds
    }
}
