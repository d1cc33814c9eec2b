public import BacklotTestServer
import Checking

extension BacklotServer.Contracts {
    /// Requests and responses are held against the OpenAPI file that the story names.
    ///
    /// A request that it does not allow fails the test. A response that it does not allow is the story's mistake and no
    /// client's, so it is a warning, as an operation is that the file does not document.
    public static var openAPI: BacklotServer.Contracts { BacklotServer.Contracts(reader: OpenAPIReader()) }
}
