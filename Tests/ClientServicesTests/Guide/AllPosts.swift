import ClientServices

func allPosts(of userID: WhipIt.User.ID, from service: WhipItService) async throws -> [WhipIt.Post] {
    var all: [WhipIt.Post] = []
    for try await posts in service.posts(.user(userID)) { all += posts }
    return all
}
