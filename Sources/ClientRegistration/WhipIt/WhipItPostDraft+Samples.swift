import ClientServices
import Foundation

extension Data {
    /// What stands for a photograph: only its size matters.
    static func bytes(_ count: Int) -> Data { Data(repeating: 0xFF, count: count) }
}

extension WhipIt.PostDraft {
    /// A post with a picture of so many bytes.
    static func coat(bytes: Int) -> WhipIt.PostDraft {
        WhipIt.PostDraft(
            pictures: [WhipIt.Picture(.bytes(bytes))],
            text: "오늘의 코트 #ootd #코트",
            pictureRatio: 3 / 4
        )
    }
}
