import HTTPCodec
import Testing

/// Compressed bodies, of which other programs are the judges elsewhere.
@Suite
struct `A stored gzip` {
    @Test
    func `has the checksum of RFC 1952`() {
        // The check value of CRC-32: that of the nine digits.
        #expect(Gzip.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(Gzip.checksum([]) == 0)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 200_000])
    func `holds the bytes in blocks that are long enough for it`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let packed = Gzip.stored(bytes)
        #expect(Array(packed.prefix(4)) == [0x1F, 0x8B, 8, 0])
        var (position, unpacked, isLast) = (10, [UInt8](), false)
        while !isLast {
            isLast = packed[position] == 1
            let length = Int(packed[position + 1]) | Int(packed[position + 2]) << 8
            #expect(~(Int(packed[position + 3]) | Int(packed[position + 4]) << 8) & 0xFFFF == length)
            unpacked += packed[(position + 5)..<(position + 5 + length)]
            position += 5 + length
        }
        #expect(unpacked == bytes && packed.count == position + 8)
    }
}

/// Cookies as clients send them, whole and broken.
@Suite
struct `Cookie fields` {
    @Test(arguments: [
        ("a=1", ["a=1"], 0), ("a=1; b=2", ["a=1", "b=2"], 0), (" a = 1 ;b=\"2\"", ["a=1", "b=2"], 0), ("a", [], 1),
        ("=1; a=1", ["a=1"], 1), ("a=1;;;", ["a=1"], 0), ("a b=1", [], 1), ("a==", ["a=="], 0), ("", [], 0),
        ("a=1; a=2", ["a=1", "a=2"], 0), ("a=\"", ["a=\""], 0),
    ])
    func `are read in their order`(field: String, pairs: [String], broken: Int) {
        var fields = HTTPFields()
        fields.append("Cookie", field)
        let cookies = Cookies(of: fields)
        #expect(cookies.pairs.map { "\($0.name)=\($0.value)" } == pairs && cookies.broken.count == broken)
    }

    @Test
    func `are one where there are several`() {
        var fields = HTTPFields()
        fields.append("cookie", "a=1")
        fields.append("Cookie", "b=2")
        #expect(Cookies(of: fields).first(named: "b") == "2" && Cookies(of: fields).first(named: "B") == nil)
    }

    @Test(arguments: [
        ("Basic YXBwOnNlY3JldA==", "app", "secret"), ("basic YXBwOg==", "app", ""), ("BASIC  OmE6Yg==", "", "a:b"),
    ])
    func `of Basic credentials are told apart at the first colon`(field: String, user: String, password: String) throws
    {
        let credentials = try #require(BasicCredentials(field: field))
        #expect(credentials.user == user && credentials.password == password)
    }

    @Test(arguments: ["Basic", "Basic ", "Basic YXBw", "Bearer YXBwOg==", "Basic YXBwOg", "Basic /w=="])
    func `that are none are not read`(field: String) {
        #expect(BasicCredentials(field: field) == nil)
    }
}
