import HTTPCodec
import Testing

@testable import ClientTesting

@Suite struct `The links of a response` {
    @Test(arguments: [
        ("https://api.test/v3/venues?page=2", true), ("/v3/venues?page=9", true),
        ("https://api.test/v3/venues?page=1", false),
        ("https://other.test/", false),
    ])
    func `are those in Link and Location, too`(url: String, isKnown: Bool) {
        let links = FollowedLinks()
        var response = HTTPResponse(status: HTTPStatus(200))
        response.fields.append(
            "Link",
            #"<https://api.test/v3/venues?page=2>; rel="next", </v3/venues?page=9>; rel=last"#
        )
        links.note(response)
        #expect(links.follow(url) == isKnown)
    }
}
