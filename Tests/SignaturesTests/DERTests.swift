import Testing

@testable import Signatures

@Suite
struct `A moment in DER` {
    @Test(arguments: [
        (0, "19700101000000Z"), (253_402_300_799, "99991231235959Z"), (253_402_300_800, "99991231235959Z"),
        (.max / 1_000_000, "99991231235959Z"), (-62_135_596_800, "00010101000000Z"),
        (-62_135_596_801, "00010101000000Z"),
        (.min / 1_000_000, "00010101000000Z"), (-30_000_000_000, "10190504184000Z"), (2_524_608_000, "20500101000000Z"),
    ])
    func `has a year of four digits, or of two for the years from 1950 to 2049`(seconds: Int64, moment: String) {
        let isShort = moment.hasPrefix("1970")
        let text = isShort ? String(moment.dropFirst(2)) : moment
        #expect(
            DER.time(secondsSince1970: seconds).bytes == [isShort ? 0x17 : 0x18, UInt8(text.utf8.count)] + text.utf8
        )
    }
}
