public import BacklotTestServer
import Checking

extension BacklotServer.Contracts {
    /// Requests and responses are held against the OpenAPI file that the story names, and what it does not allow fails
    /// the test.
    public static var openAPI: BacklotServer.Contracts { BacklotServer.Contracts(reader: OpenAPIReader()) }
}
