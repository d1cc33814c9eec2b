begin
  require "openid_connect"
rescue LoadError
  puts "no gem openid_connect"
  exit 77
end
require "net/http"
SWD.url_builder = WebFinger.url_builder = URI::HTTP

issuer, id, secret, redirect = %w[ISSUER CLIENT_ID CLIENT_SECRET REDIRECT_URI].map { |name| ENV.fetch(name) }
document = OpenIDConnect::Discovery::Provider::Config.discover!(issuer)
client = OpenIDConnect::Client.new(
  identifier: id, secret: secret, redirect_uri: redirect, authorization_endpoint: document.authorization_endpoint,
  token_endpoint: document.token_endpoint, userinfo_endpoint: document.userinfo_endpoint
)
address = client.authorization_uri(scope: %w[openid profile email], state: "a b&c", nonce: "n")
sent = URI.decode_www_form(URI(Net::HTTP.get_response(URI(address))["Location"]).query).to_h
raise "state" unless sent["state"] == "a b&c"
client.authorization_code = sent["code"]
token = client.access_token!(:basic)
keys = document.jwks
claims = OpenIDConnect::ResponseObject::IdToken.decode(token.id_token, keys)
claims.verify!(issuer: issuer, client_id: id, nonce: "n")
raise "email" unless token.userinfo!.email == "ada@example.com"
puts claims.sub
