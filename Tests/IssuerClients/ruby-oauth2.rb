begin
  require "oauth2"
rescue LoadError
  puts "no gem oauth2"
  exit 77
end
require "json"
require "net/http"

issuer, id, secret, redirect = %w[ISSUER CLIENT_ID CLIENT_SECRET REDIRECT_URI].map { |name| ENV.fetch(name) }
document = JSON.parse(Net::HTTP.get(URI("#{issuer}/.well-known/openid-configuration")))
user = %i[basic_auth request_body].map do |scheme|
  client = OAuth2::Client.new(
    id, secret, authorize_url: document["authorization_endpoint"], token_url: document["token_endpoint"],
    auth_scheme: scheme, site: issuer
  )
  address = client.auth_code.authorize_url(redirect_uri: redirect, scope: "openid email", state: "s")
  sent = URI.decode_www_form(URI(Net::HTTP.get_response(URI(address))["Location"]).query).to_h
  token = client.auth_code.get_token(sent["code"], redirect_uri: redirect).refresh!
  JSON.parse(token.get(document["userinfo_endpoint"]).body)
end
raise "email" unless user.all? { |claims| claims["email"] == "ada@example.com" }
puts user.last["sub"]
