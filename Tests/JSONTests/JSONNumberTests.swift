import JSON
import Testing

struct JSONNumberTests {
    @Test(arguments: [
        "0", "-0", "1", "-1", "10", "0.5", "-0.0", "1e5", "1E+5", "1.25e-7", "123456789012345678901234567890",
    ])
    func `A number keeps its text`(_ text: String) throws {
        #expect(try #require(JSONNumber(text)).text == text)
        #expect(try JSONParser().parse(text).root.number?.text == text)
        #expect(try JSONParser().parse("[\(text)]").root.text() == "[\(text)]")
    }

    @Test(arguments: [
        "", "-", "+1", "01", "-01", "1.", ".1", "1e", "1e+", "1.e1", " 1", "1 ", "1\n", "0x1", "1_0", "NaN", "inf", "١",
        "1e1.5",
        "--1", "1,0",
    ])
    func `No other text is a number`(_ text: String) {
        #expect(JSONNumber(text) == nil)
    }

    @Test(arguments: [
        ("1.0", "1"), ("1", "1e0"), ("100", "1e2"), ("100", "1.00E+2"), ("0.1", "1e-1"), ("0.001", "0.1e-2"),
        ("-0", "0"), ("-0.0e5", "0e-99999999999999999999"), ("120", "1.2e2"), ("-5e1", "-50.000"),
        ("1e19", "10000000000000000000"), ("0.5", "0.50"), ("123.456e3", "123456"),
        ("1e99999999999999999999", "10e99999999999999999998"),
        ("1e99999999999999999999", "0.001e100000000000000000002"),
        ("1e-99999999999999999999", "0.1e-99999999999999999998"),
        ("1e999999999999999999", "0.1e1000000000000000000"),
        ("1e-999999999999999999", "100e-1000000000000000001"),
        ("1e+00000000000000000000000000000005", "100000"),
        ("9223372036854775807", "9.223372036854775807e18"), ("-9223372036854775808", "-92233720368547758080e-1"),
    ])
    func `Equal values are equal and hash alike, whatever their text`(_ left: String, _ right: String) throws {
        let left = try #require(JSONNumber(left))
        let right = try #require(JSONNumber(right))
        #expect(left == right)
        #expect(right == left)
        #expect(left.hashValue == right.hashValue)
        #expect(!(left < right) && !(right < left))
        #expect(left.int == right.int)
        #expect(left.isInteger == right.isInteger)
    }

    /// Every number here is smaller than its successors.
    private static let ascending = [
        "-1e99999999999999999999", "-1e400", "-1e20", "-9223372036854775809", "-9223372036854775808", "-2.5", "-2",
        "-1e-5",
        "-1e-99999999999999999999", "0", "1e-100000000000000000000", "1e-99999999999999999999", "1e-400", "0.1",
        "0.10000000000000000001", "0.2", "0.9", "1", "1.5", "2", "9", "10", "99", "9007199254740992",
        "9007199254740993",
        "9223372036854775807", "9223372036854775808", "1e19", "1.000000000000000000001e19", "1e400", "1.1e400",
        "1e999999999999999999", "1e1000000000000000000", "1e99999999999999999999", "9.9e99999999999999999999",
        "1e100000000000000000000",
    ]

    @Test func `Order is that of the mathematical values`() throws {
        let numbers = try JSONNumberTests.ascending.map { try #require(JSONNumber($0)) }
        for (place, left) in numbers.enumerated() {
            for (otherPlace, right) in numbers.enumerated() {
                #expect((left < right) == (place < otherPlace), "\(left) < \(right)")
                #expect((left == right) == (place == otherPlace), "\(left) == \(right)")
            }
        }
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("0.00", 0), ("0e99999999999999999999", 0), ("1.0", 1), ("1e2", 100), ("1200e-2", 12),
        ("-3.50e1", -35), ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
        ("-9.223372036854775808e18", Int.min), ("0.00000000000000000001e20", 1), ("1e18", 1_000_000_000_000_000_000),
    ])
    func `A whole value within the range is an Int`(_ text: String, _ value: Int) throws {
        let number = try #require(JSONNumber(text))
        #expect(number.int == value)
        #expect(number.isInteger)
        #expect(number == JSONNumber(value))
        #expect(number.hashValue == JSONNumber(value).hashValue)
    }

    @Test(arguments: [
        ("0.5", false), ("1e-1", false), ("9223372036854775808", true), ("-9223372036854775809", true), ("1e19", true),
        ("1e99999999999999999999", true), ("1e-99999999999999999999", false), ("1.5e400", true),
        ("123456789012345678901234567890", true), ("123456789012345678901.5", false),
    ])
    func `Other values are no Int, but may be integers`(_ text: String, _ isInteger: Bool) throws {
        let number = try #require(JSONNumber(text))
        #expect(number.int == nil)
        #expect(number.isInteger == isInteger)
    }

    @Test(arguments: [
        ("0.1", 0.1), ("1e400", Double.infinity), ("-1e400", -Double.infinity), ("1e-400", 0.0),
        ("5e-324", Double.leastNonzeroMagnitude), ("9007199254740993", 9007199254740992.0),
        ("1e99999999999999999999", Double.infinity),
        ("-1e99999999999999999999", -Double.infinity), ("1e-99999999999999999999", 0.0),
        ("0e99999999999999999999", 0.0),
    ])
    func `The nearest Double is always there`(_ text: String, _ value: Double) throws {
        #expect(try #require(JSONNumber(text)).double == value)
    }

    @Test func `Numbers made in code have the shortest text`() throws {
        #expect(JSONNumber(Int.min).text == "-9223372036854775808")
        #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
        #expect(JSONNumber(2.0)?.text == "2")
        #expect(JSONNumber(0.1)?.text == "0.1")
        #expect(JSONNumber(.infinity) == nil)
        #expect(JSONNumber(.nan) == nil)
        for value in [1e100, -2.5e-300, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0, 1e16] as [Double] {
            let number = try #require(JSONNumber(value))
            #expect(JSONNumber(number.text) == number, "\(number) is of the grammar")
            #expect(number.double == value)
        }
    }
}
