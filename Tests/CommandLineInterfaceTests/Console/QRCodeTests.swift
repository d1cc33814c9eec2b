import CommandLineInterface
import Testing

@Suite struct `A QR code` {
    // Made by another encoder, and read back by a scanner: the rows in hexadecimal digits, and the number of the mask.
    @Test(arguments: [
        (
            "http://10.0.0.2", 2,
            """
            1fc57f 105d41 17445d 17595d 174a5d 105141 1fd57f 000800 1f72aa 0c801f 09c9a6 1c011c 0a49d9 00163d 1fd126 \
            10481f 17565b 1750f4 175164 105d34 1fd1fa
            """
        ),
        (
            "http://192.168.1.23:9847/__backlot/#token=AbCdEfGhIjKlMnOpQrStUv", 5,
            """
            1fce8cc7f 10439d841 174e24a5d 175601a5d 17557585d 104c8d041 1fd55557f 000941600 18edfb618 19a427492 \
            13eb70030 0996376b4 0a7c991eb 0ba557b4b 1650610ea 032520205 1775c8412 119477bcb 1b5922be1 193616064 \
            1a520241a 1d25c6f96 10dce950e 15bd935c4 18c3911f2 00183f711 1fdf34f5e 105634515 174a011f8 1749dfb34 \
            17463e239 105da2654 1fd948152
            """
        ),
    ])
    func `has the modules that other encoders give it`(text: String, mask: Int, expected: String) throws {
        let code = try #require(QRCode(text, mask: mask))
        let rows = code.rows.map { row in row.reduce(0) { $0 << 1 | ($1 ? 1 : 0) } }
        #expect(rows == expected.split(separator: " ").compactMap { Int($0, radix: 16) })
    }

    @Test(arguments: [
        (0, 21), (17, 21), (18, 25), (32, 25), (33, 29), (53, 29), (54, 33), (78, 33), (79, 37), (106, 37),
    ])
    func `is as large as its text needs`(count: Int, size: Int) throws {
        let text = String(repeating: "a", count: count)
        let code = try #require(QRCode(text))
        #expect(code.rows.count == size && code.rows.allSatisfy { $0.count == size })
        // Whatever mask is chosen, it is one of the eight.
        #expect((0..<8).contains { QRCode(text, mask: $0) == code })
    }

    @Test func `has no more than 106 bytes`() {
        #expect(QRCode(String(repeating: "a", count: 107)) == nil)
        #expect(QRCode(String(repeating: "é", count: 54)) == nil)
    }

    @Test func `is drawn with two rows in a line, and a quiet zone of four modules`() throws {
        let code = try #require(QRCode("http://10.0.0.2"))
        let lines = code.lines(isColoured: false)
        #expect(lines.count == 15 && lines.allSatisfy { $0.count == 29 })
        #expect(lines[0] == String(repeating: "█", count: 29) && lines[1] == lines[0])
        // The upper left finder pattern: seven dark modules, and below them dark, five light, dark.
        #expect(lines[2].dropFirst(4).prefix(7) == " ▄▄▄▄▄ ")
        #expect(code.lines(isColoured: true) == lines.map { "\u{1B}[97;40m\($0)\u{1B}[0m" })
    }
}
