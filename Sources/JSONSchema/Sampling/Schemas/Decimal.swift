import JSON

/// A number of moderate size, exactly: *mantissa* × 10^-*scale*.
struct Decimal {
    private(set) var mantissa: WideInteger
    /// 0...18.
    private(set) var scale: Int

    init(mantissa: WideInteger, scale: Int) {
        self.mantissa = mantissa
        self.scale = scale
    }

    /// Takes a number apart; `nil` for one of more than 27 digits or with too large an exponent.
    init?(_ number: JSONNumber) {
        var mantissa: WideInteger = 0
        var scale = 0
        var digits = 0
        var isFraction = false
        let parts = number.text.utf8.split { $0 | 0x20 == 0x65 }
        guard let first = parts.first, let exponent = parts.count > 1 ? Int(String(parts[1]) ?? "") : 0,
            -18...18 ~= exponent
        else { return nil }
        for byte in first {
            switch byte {
            case 0x2D: break
            case 0x2E: isFraction = true
            default:
                mantissa = mantissa * 10 + WideInteger(Int(byte &- 0x30))
                if mantissa > 0 { digits += 1 }
                if isFraction { scale += 1 }
                guard digits <= 27 else { return nil }
            }
        }
        scale -= exponent
        while scale > 0, mantissa % 10 == 0 {
            mantissa = mantissa / 10
            scale -= 1
        }
        while scale < 0 {
            mantissa *= 10
            scale += 1
        }
        guard scale <= 18, mantissa < Self.limit else { return nil }
        self.mantissa = first.first == 0x2D ? -mantissa : mantissa
        self.scale = scale
    }

    /// The mantissa at a scale that is not smaller; `nil` when that is too large a number.
    func mantissa(at scale: Int) -> WideInteger? {
        var mantissa = mantissa
        for _ in self.scale..<max(scale, self.scale) {
            mantissa *= 10
            guard mantissa.magnitude < Self.limit else { return nil }
        }
        return mantissa
    }

    /// The number without needless zeros behind the point.
    var number: JSONNumber? {
        var mantissa = mantissa
        var scale = scale
        while scale > 0, mantissa % 10 == 0 {
            mantissa = mantissa / 10
            scale -= 1
        }
        var digits = mantissa.magnitude.description
        if scale > 0 {
            digits = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -scale))
        }
        return JSONNumber(mantissa < 0 ? "-\(digits)" : digits)
    }

    /// Ten times this still is a `WideInteger`.
    private static let limit = WideInteger.powerOfTen(37)
}
