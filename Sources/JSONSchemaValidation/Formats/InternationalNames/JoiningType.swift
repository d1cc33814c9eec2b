/// How a letter joins its neighbours in cursive scripts (Unicode's Joining_Type).
enum JoiningType {
    /// It joins the letter before it, as alef does.
    case right
    /// It joins the letter after it.
    case left
    /// It joins both, as beh does.
    case dual

    /// The type of a scalar; `nil` for letters that join none.
    init?(_ scalar: Unicode.Scalar) {
        var low = 0
        var high = Self.runs.count
        while low < high {
            let middle = (low + high) / 2
            if Self.runs[middle].last < scalar.value { low = middle + 1 } else { high = middle }
        }
        guard low < Self.runs.count, Self.runs[low].first <= scalar.value else { return nil }
        self = Self.runs[low].type
    }

    /// Whether joining goes through a scalar: marks and format controls.
    static func isTransparent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }

    private struct Run {
        var first: UInt32
        var last: UInt32
        var type: JoiningType
    }

    private static let runs: [Run] = table.split { $0 == " " || $0 == "\n" }.compactMap { entry in
        let bounds = entry.dropLast().split(separator: "-").compactMap { UInt32($0, radix: 16) }
        guard let first = bounds.first, let last = bounds.last else { return nil }
        return Run(first: first, last: last, type: entry.last == "D" ? .dual : entry.last == "R" ? .right : .left)
    }

    /// The runs of DerivedJoiningType.txt (Unicode 15.0) whose type is D, L or R.
    private static let table = """
        620D 622-625R 626D 627R 628D 629R 62A-62ED 62F-632R 633-63FD 641-647D 648R 649-64AD 66E-66FD 671-673R
        675-677R 678-687D 688-699R 69A-6BFD 6C0R 6C1-6C2D 6C3-6CBR 6CCD 6CDR 6CED 6CFR 6D0-6D1D 6D2-6D3R 6D5R
        6EE-6EFR 6FA-6FCD 6FFD 710R 712-714D 715-719R 71A-71DD 71ER 71F-727D 728R 729D 72AR 72BD 72CR 72D-72ED
        72FR 74DR 74E-758D 759-75BR 75C-76AD 76B-76CR 76D-770D 771R 772D 773-774R 775-777D 778-779R 77A-77FD
        7CA-7EAD 840R 841-845D 846-847R 848D 849R 84A-853D 854R 855D 856-858R 860D 862-865D 867R 868D 869-86AR
        870-882R 886D 889-88DD 88ER 8A0-8A9D 8AA-8ACR 8AER 8AF-8B0D 8B1-8B2R 8B3-8B8D 8B9R 8BA-8C8D 1807D
        1820-1878D 1887-18A8D 18AAD A840-A871D A872L 10AC0-10AC4D 10AC5R 10AC7R 10AC9-10ACAR 10ACDL 10ACE-10AD2R
        10AD3-10AD6D 10AD7L 10AD8-10ADCD 10ADDR 10ADE-10AE0D 10AE1R 10AE4R 10AEB-10AEED 10AEFR 10B80D 10B81R
        10B82D 10B83-10B85R 10B86-10B88D 10B89R 10B8A-10B8BD 10B8CR 10B8DD 10B8E-10B8FR 10B90D 10B91R
        10BA9-10BACR 10BAD-10BAED 10D00L 10D01-10D21D 10D22R 10D23D 10F30-10F32D 10F33R 10F34-10F44D
        10F51-10F53D 10F54R 10F70-10F73D 10F74-10F75R 10F76-10F81D 10FB0D 10FB2-10FB3D 10FB4-10FB6R 10FB8D
        10FB9-10FBAR 10FBB-10FBCD 10FBDR 10FBE-10FBFD 10FC1D 10FC2-10FC3R 10FC4D 10FC9R 10FCAD 10FCBL
        1E900-1E943D
        """
}
