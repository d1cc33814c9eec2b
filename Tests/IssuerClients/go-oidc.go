package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	check(err)
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	subject := ""
	for _, style := range []oauth2.AuthStyle{oauth2.AuthStyleAutoDetect, oauth2.AuthStyleInHeader, oauth2.AuthStyleInParams} {
		endpoint := provider.Endpoint()
		endpoint.AuthStyle = style
		config := oauth2.Config{
			ClientID: os.Getenv("CLIENT_ID"), ClientSecret: os.Getenv("CLIENT_SECRET"), Endpoint: endpoint,
			RedirectURL: os.Getenv("REDIRECT_URI"), Scopes: []string{oidc.ScopeOpenID, "profile", "email"},
		}
		response, err := browser.Get(config.AuthCodeURL("a b&c", oidc.Nonce("n")))
		check(err)
		sent, err := url.Parse(response.Header.Get("Location"))
		check(err)
		token, err := config.Exchange(ctx, sent.Query().Get("code"))
		check(err)
		verifier := provider.Verifier(&oidc.Config{
			ClientID: config.ClientID, SupportedSigningAlgs: []string{os.Getenv("ALGORITHM")},
		})
		id, err := verifier.Verify(ctx, token.Extra("id_token").(string))
		check(err)
		if id.Nonce != "n" || sent.Query().Get("state") != "a b&c" {
			panic("nonce or state")
		}
		user, err := provider.UserInfo(ctx, config.TokenSource(ctx, token))
		check(err)
		if user.Email != "ada@example.com" {
			panic("email")
		}
		subject = user.Subject
	}
	fmt.Println(subject)
}
