/// Numbers that readers of JSON get wrong.
enum HardNumbers {
    /// A number's text and what to call it.
    typealias Case = (text: String, phrase: String)

    /// Within 64 bits, for more is no integer to most languages.
    static let integers: [Case] = [
        ("0", "zero"),
        ("1", "one"),
        ("-1", "minus one"),
        ("-0", "written -0"),
        ("100", "a hundred"),
        ("1e2", "written 1e2"),
        ("2147483648", "2^31"),
        ("-2147483649", "beyond -2^31"),
        ("4294967296", "2^32"),
        ("9007199254740993", "2^53 + 1"),
        ("-9007199254740993", "-2^53 - 1"),
        ("9223372036854775807", "2^63 - 1"),
        ("-9223372036854775808", "-2^63"),
    ]

    /// Such as a `Double` holds, so that a reader has no excuse.
    static let fractions: [Case] = [
        ("0", "zero"),
        ("5.0", "written 5.0"),
        ("33.30", "written 33.30"),
        ("1e2", "written 1e2"),
        ("1.5E+1", "written 1.5E+1"),
        ("-0.0", "written -0.0"),
        ("0.1", "0.1"),
        ("1e-7", "written 1e-7"),
        ("-1.5", "-1.5"),
        ("123456.125", "123456.125"),
        ("2147483648", "2^31"),
    ]
}
