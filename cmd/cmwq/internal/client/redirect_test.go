package client

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// What answers at one address does not have another one asked.
func TestAnAnswerLeadsNowhereElse(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	srv := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusFound))
	defer srv.Close()
	c, err := New(srv.URL)
	require.NoError(t, err)
	_, err = c.Dump(t.Context(), false)
	var status *StatusError
	require.ErrorAs(t, err, &status)
	require.Equal(t, http.StatusFound, status.Code)
	require.False(t, asked)
}
