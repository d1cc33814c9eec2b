import ClientServices
import Foundation
import Testing

@Suite struct `RunwithU's values` {
    private let seoul = TimeZone(secondsFromGMT: 9 * 3600)

    @Test func `tell when to run as the app's readers expect it`() throws {
        // Half past seven in the morning in Seoul, on Saturday, 7 September 2024.
        let start = Date(timeIntervalSince1970: 1_725_661_800)
        let run = RunwithU.RunningInfo(start: start, in: try #require(seoul), course: "올림픽공원", minutes: 60)
        #expect(run.text == #"{"course":"올림픽공원","date":"2024-09-07 토요일 오전 07시 30분","timeTaking":60}"#)
        #expect(RunwithU.RunningInfo(text: run.text) == run)
    }

    @Test(arguments: [(0, "오전 12시"), (1, "오전 01시"), (12, "오후 12시"), (13, "오후 01시"), (23, "오후 11시")])
    func `count hours by twelve`(hour: Int, text: String) throws {
        let midnight = Date(timeIntervalSince1970: 1_725_634_800)
        let start = midnight.addingTimeInterval(Double(hour) * 3600)
        #expect(RunwithU.RunningInfo(start: start, in: try #require(seoul)).date.contains(text))
    }

    @Test func `know when a run is over by its day`() throws {
        let zone = try #require(seoul)
        let start = Date(timeIntervalSince1970: 1_725_661_800)
        let run = RunwithU.RunningInfo(start: start, in: zone)
        #expect(!run.isOver(at: start.addingTimeInterval(16 * 3600), in: zone))
        #expect(run.isOver(at: start.addingTimeInterval(17 * 3600), in: zone))
        var odd = run
        odd.date = "언젠가"
        #expect(!odd.isOver(at: start, in: zone))
    }

    @Test func `invite everybody once, and nobody by a part of an id`() throws {
        let run = RunwithU.RunningInfo(start: Date(timeIntervalSince1970: 1_725_661_800))
        let draft = RunwithU.PostDraft.invitation(title: "t", content: "c", to: ["ab", "cd", "ab"], run: run)
        #expect(draft.content1 == "ab cd")
        let text = RunwithUBench.post("p", namespace: .invitations, content1: "ab cd", likes: ["cd"])
        let post = try JSONDecoder().decode(RunwithU.Post.self, from: Data(text.utf8))
        let invitation = try #require(RunwithU.Invitation(post))
        #expect(invitation.invites("ab"))
        #expect(!invitation.invites("a"))
        #expect(invitation.isAccepted(by: "cd"))
        #expect(RunwithU.Group(post) == nil)
    }

    @Test func `tell a file's kind by how it begins`() {
        #expect(RunwithU.Attachment(Data([0xFF, 0xD8, 0xFF, 0xE0]))?.mediaType == "image/jpeg")
        #expect(RunwithU.Attachment(Data("GIF89a".utf8))?.mediaType == "image/gif")
        #expect(RunwithU.Attachment(Data("%PDF-1.7".utf8))?.mediaType == "application/pdf")
        #expect(RunwithU.Attachment(Data("MZ".utf8)) == nil)
    }

    @Test(arguments: ["title", "content", "product_id", "content1", "buyers"])
    func `live without what a post's writer or the server left out`(member: String) throws {
        var object = try #require(
            try JSONSerialization.jsonObject(with: Data(RunwithUBench.post("p").utf8)) as? [String: Any]
        )
        object[member] = NSNull()
        let data = try JSONSerialization.data(withJSONObject: object)
        #expect(try JSONDecoder().decode(RunwithU.Post.self, from: data).id == "p")
    }

    @Test(arguments: [
        "post_id", "createdAt", "creator", "files", "likes", "likes2", "hashTags", "comments",
    ])
    func `are no posts without what every post has`(member: String) throws {
        var object = try #require(
            try JSONSerialization.jsonObject(with: Data(RunwithUBench.post("p").utf8)) as? [String: Any]
        )
        object[member] = nil
        let data = try JSONSerialization.data(withJSONObject: object)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(RunwithU.Post.self, from: data) }
    }
}
