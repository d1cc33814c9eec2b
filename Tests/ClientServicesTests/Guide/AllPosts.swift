import ClientServices

func allPosts(of userID: WhipItUser.ID, from service: WhipItService) async throws -> [WhipItPost] {
    var all: [WhipItPost] = []
    for try await posts in service.posts(.user(userID)) { all += posts }
    return all
}
