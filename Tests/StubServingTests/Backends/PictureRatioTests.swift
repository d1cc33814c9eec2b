import HTTPCodec
import JSON
import StubServing
import TestSupport
import Testing

/// WhipIt's app lays out its feed by the ratio that a post contains, before the picture has arrived.
@Suite struct PictureRatioTests {
    @Test func `The picture of a post has the ratio of the post`() async throws {
        let library = try ScenarioLibrary("\(Project.scenarios)/whipit/backend.json")
        try await withStub(library) { stub in
            let client = try stub.client()
            let key: HTTPFields = ["SesacKey": "whipit-key", "Content-Type": "application/json"]
            let login = #"{"email":"mina@example.com","password":"whip1234"}"#
            let token = try #require(try client.call(.post, "/login", key, login).json["token"]?.string)
            let fields = key.adding("Authorization", token)
            let feed = try client.get("/post?product_id=whipit_style&limit=100&next=0", fields).json
            let posts = try #require(feed["data"]?.array)
            #expect(!posts.isEmpty)
            for post in posts {
                let path = try #require(post["image"]?[0]?.string)
                let ratio = try #require(post["content1"]?.string.flatMap(Double.init))
                let size = try #require(PictureSize(ofJPEG: try client.get("/\(path)", fields).body), "\(path)")
                #expect(abs(Double(size.width) / Double(size.height) - ratio) < 0.005, "\(path)")
            }
        }
    }
}

/// The size of a picture in pixels.
private struct PictureSize {
    let width: Int
    let height: Int

    /// Reads the frame header of a JPEG (ITU-T T.81, B.2.2); `nil` if the bytes have none.
    init?(ofJPEG bytes: [UInt8]) {
        var position = 2
        while position + 9 < bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            if 0xC0...0xC2 ~= marker {
                height = Int(bytes[position + 5]) << 8 | Int(bytes[position + 6])
                width = Int(bytes[position + 7]) << 8 | Int(bytes[position + 8])
                return
            }
            position += 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
        }
        return nil
    }
}
