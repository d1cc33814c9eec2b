import Foundation

extension SmeemService {
    /// The member's diaries of some days.
    public func diaries(in span: Smeem.DaySpan) async throws(SmeemError) -> Smeem.DiaryList {
        let query = [
            URLQueryItem(name: "start", value: span.first.description),
            URLQueryItem(name: "end", value: span.last.description),
        ]
        return try await ask(.smeemData(.get, "diaries", query: query))
    }

    /// Something to write about, another one each time.
    public func randomTopic() async throws(SmeemError) -> Smeem.Topic {
        try await ask(.smeemData(.get, "topics", "random"))
    }

    /// Writes a diary.
    ///
    /// When the same draft is being written already, this waits for that, so that a second tap on the button writes no
    /// second diary and shows no error.
    ///
    /// - Throws: ``SmeemError/unsendable(_:)`` for a text longer than ``Smeem/DiaryDraft/longest``.
    public func write(_ draft: Smeem.DiaryDraft) async throws(SmeemError) -> Smeem.WrittenDiary {
        try checkLength(draft.content)
        return try await submit(draft) { () async throws(SmeemError) in
            try await ask(.smeemData(.post, "diaries", body: .json(draft)))
        }
    }

    /// A diary with all that belongs to it.
    public func diary(_ id: Smeem.Diary.ID) async throws(SmeemError) -> Smeem.DiaryDetail {
        try await ask(.smeemData(.get, "diaries", "\(id)"))
    }

    /// Changes the text of a diary; its topic stays.
    ///
    /// - Parameters:
    ///   - id: the diary.
    ///   - content: the new text, of as many characters as ``Smeem/DiaryDraft/longest`` at most.
    /// - Throws: ``SmeemError/unsendable(_:)`` for a longer text.
    public func changeDiary(_ id: Smeem.Diary.ID, to content: String) async throws(SmeemError) {
        try checkLength(content)
        try await ask(.smeemDone(.patch, "diaries", "\(id)", body: .json(["content": content])))
    }

    /// Deletes a diary.
    ///
    /// When the answer is lost, this asks once more; a diary that is not there then is deleted.
    public func deleteDiary(_ id: Smeem.Diary.ID) async throws(SmeemError) {
        let endpoint = Endpoint<Void>.smeemDone(.delete, "diaries", "\(id)")
        do throws(SmeemError) {
            try await ask(endpoint)
        } catch {
            guard error.isLostAnswer else { throw error }
            do throws(SmeemError) {
                try await ask(endpoint)
            } catch {
                guard error.refusal?.status == 404 else { throw error }
            }
        }
    }

    /// Has the sentences of a diary corrected, which may be done once for each diary.
    public func correctDiary(_ id: Smeem.Diary.ID) async throws(SmeemError) -> [Smeem.Correction] {
        try await ask(Endpoint<Smeem.Corrections>.smeemData(.post, "diaries", "\(id)", "corrections")).corrections
    }

    /// Says that the corrections of a diary were of use.
    ///
    /// - Parameters:
    ///   - id: the diary.
    ///   - comment: what else the member has to say.
    public func praiseCorrections(of id: Smeem.Diary.ID, comment: String = "") async throws(SmeemError) {
        try await rate(CorrectionRating(diaryId: id, isSatisfied: true, dissatisfactionTypes: [], reason: comment))
    }

    /// Says what the corrections of a diary lack.
    ///
    /// - Parameters:
    ///   - id: the diary.
    ///   - reasons: what was not satisfying.
    ///   - comment: what else the member has to say.
    public func criticizeCorrections(
        of id: Smeem.Diary.ID,
        for reasons: [Smeem.Dissatisfaction],
        comment: String = ""
    ) async throws(SmeemError) {
        try await rate(
            CorrectionRating(diaryId: id, isSatisfied: false, dissatisfactionTypes: reasons, reason: comment)
        )
    }

    private func rate(_ rating: CorrectionRating) async throws(SmeemError) {
        try await ask(.smeemDone(.post, "survey", "coaching", body: .json(rating)))
    }

    private func checkLength(_ content: String) throws(SmeemError) {
        guard content.unicodeScalars.count <= Smeem.DiaryDraft.longest else {
            throw .unsendable("a diary has room for \(Smeem.DiaryDraft.longest) characters")
        }
    }
}

extension SmeemError {
    /// Whether the server may have done what it was asked for, and nobody knows.
    var isLostAnswer: Bool {
        switch self {
        case .userError(.connectionLost), .userError(.timedOut): true
        default: false
        }
    }
}

private struct CorrectionRating: Encodable {
    var diaryId: Smeem.Diary.ID
    var isSatisfied: Bool
    var dissatisfactionTypes: [Smeem.Dissatisfaction]
    var reason: String
}
