import Testing

@testable import Signatures

@Suite
struct `A moment in DER` {
    @Test(
        arguments: [
            (0, "19700101000000Z"), (253_402_300_799, "99991231235959Z"), (253_402_300_800, "99991231235959Z"),
            (.max / 1_000_000, "99991231235959Z"), (-2_208_988_800, "19000101000000Z"),
            (-2_208_988_801, "19000101000000Z"), (.min / 1_000_000, "19000101000000Z"),
            (-1_000_000_000, "19380424221320Z"), (2_524_608_000, "20500101000000Z"),
        ] as [(Int64, String)]
    )
    func `has a year of four digits, or of two for the years from 1950 to 2049`(seconds: Int64, moment: String) {
        let isShort = moment.hasPrefix("1970")
        let text = isShort ? String(moment.dropFirst(2)) : moment
        #expect(
            DER.time(secondsSince1970: seconds).bytes == [isShort ? 0x17 : 0x18, UInt8(text.utf8.count)] + text.utf8
        )
    }
}
