/// The rule for names that hold labels written from right to left (RFC 5893, section 2).
enum DirectionRule {
    /// Whether all labels follow the rule; it counts for none when no label has letters from right to left.
    static func accepts(_ labels: [InternationalLabel]) -> Bool {
        let classes = labels.map { $0.scalars.map(direction) }
        guard classes.contains(where: { $0.contains { $0 == .rightToLeft || $0 == .arabicNumber } }) else {
            return true
        }
        return classes.allSatisfy(accepts)
    }

    /// The classes of the bidirectional algorithm, as far as the rule tells them apart.
    private enum Direction {
        case leftToRight
        /// R and AL.
        case rightToLeft
        case arabicNumber
        case europeanNumber
        case mark
        case neutral
    }

    private static func accepts(_ label: [Direction]) -> Bool {
        let last = label.last { $0 != .mark }
        switch label.first {
        case .rightToLeft:
            return !label.contains(.leftToRight) && last != .neutral
                && !(label.contains(.europeanNumber) && label.contains(.arabicNumber))
        case .leftToRight:
            return !label.contains(.rightToLeft) && !label.contains(.arabicNumber) && last != .neutral
        default:
            return false
        }
    }

    /// The class of a character that is valid in labels; those of whole blocks, since other characters do not occur.
    private static func direction(_ scalar: Unicode.Scalar) -> Direction {
        switch scalar.value {
        case 0x30...0x39, 0x6F0...0x6F9: return .europeanNumber
        case 0x660...0x669, 0x1_0D30...0x1_0D39: return .arabicNumber
        case 0x2D, 0xB7, 0x375, 0x30FB, 0x200C, 0x200D, 0x2B9...0x2BA, 0x2C2...0x2CF, 0x2EC: return .neutral
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return .mark
        default: break
        }
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF:
            return .rightToLeft
        default:
            return .leftToRight
        }
    }
}
