/// Punycode, RFC 3492, with the parameters of domain names; without the prefix `xn--`.
///
/// - Complexity: both directions are quadratic, so callers limit the length to that of a label.
enum Punycode {
    private static let base = 36
    private static let smallestThreshold = 1
    private static let largestThreshold = 26

    static func decode(_ bytes: [UInt8]) -> [Unicode.Scalar]? {
        let delimiter = bytes.lastIndex(of: 0x2D)
        var output = bytes[..<(delimiter ?? 0)].map { Unicode.Scalar($0) }
        guard output.allSatisfy(\.isASCII) else { return nil }
        var rest = bytes[(delimiter.map { $0 + 1 } ?? 0)...]
        var bias = Bias()
        var code: UInt32 = 128
        var position = 0
        while !rest.isEmpty {
            guard let delta = takeDelta(from: &rest, bias: bias) else { return nil }
            let (sum, overflow) = position.addingReportingOverflow(delta)
            guard !overflow else { return nil }
            let places = output.count + 1
            guard let step = UInt32(exactly: sum / places), let scalar = Unicode.Scalar(code &+ step), step < 0x11_0000
            else { return nil }
            bias.adapt(to: delta, count: places, isFirst: position == 0)
            code = scalar.value
            position = sum % places
            output.insert(scalar, at: position)
            position += 1
        }
        return output
    }

    static func encode(_ scalars: [Unicode.Scalar]) -> [UInt8]? {
        var output = scalars.filter(\.isASCII).map { UInt8(truncatingIfNeeded: $0.value) }
        let basicCount = output.count
        if basicCount > 0 { output.append(0x2D) }
        var bias = Bias()
        var code = 128
        var delta = 0
        var handled = basicCount
        while let next = scalars.lazy.map({ Int($0.value) }).filter({ $0 >= code }).min() {
            let (step, overflow) = (next - code).multipliedReportingOverflow(by: handled + 1)
            guard !overflow else { return nil }
            delta += step
            code = next
            for scalar in scalars {
                if scalar.value < code { delta += 1 }
                guard scalar.value == code else { continue }
                append(delta, to: &output, bias: bias)
                bias.adapt(to: delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return output
    }

    /// Reads a number of variable length.
    private static func takeDelta(from rest: inout ArraySlice<UInt8>, bias: Bias) -> Int? {
        var delta = 0
        var weight = 1
        for place in stride(from: base, through: .max, by: base) {
            guard let digit = rest.popFirst().flatMap(value) else { return nil }
            let (product, overflow) = digit.multipliedReportingOverflow(by: weight)
            let (sum, furtherOverflow) = delta.addingReportingOverflow(product)
            guard !overflow, !furtherOverflow else { return nil }
            delta = sum
            let threshold = bias.threshold(at: place)
            if digit < threshold { return delta }
            let (nextWeight, lastOverflow) = weight.multipliedReportingOverflow(by: base - threshold)
            guard !lastOverflow else { return nil }
            weight = nextWeight
        }
        return nil
    }

    private static func append(_ delta: Int, to output: inout [UInt8], bias: Bias) {
        var rest = delta
        var place = base
        while true {
            let threshold = bias.threshold(at: place)
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            place += base
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? value + 0x61 : value - 26 + 0x30)
    }

    private static func value(_ digit: UInt8) -> Int? {
        if FormatByte.isLetter(digit) { return Int((digit | 0x20) - 0x61) }
        return FormatByte.isDigit(digit) ? Int(digit - 0x30) + 26 : nil
    }

    /// The adaptation of section 6.1.
    private struct Bias {
        private var value = 72

        func threshold(at place: Int) -> Int {
            min(max(place - value, smallestThreshold), largestThreshold)
        }

        mutating func adapt(to delta: Int, count: Int, isFirst: Bool) {
            var delta = isFirst ? delta / 700 : delta / 2
            delta += delta / count
            var place = 0
            while delta > (base - smallestThreshold) * largestThreshold / 2 {
                delta /= base - smallestThreshold
                place += base
            }
            value = place + (base - smallestThreshold + 1) * delta / (delta + 38)
        }
    }
}
