/**
 * What a handler answers that has written to the connection itself, or cut it: nothing is written behind that. As long as
 * nobody has read its body, the server takes a response of its own kind for one to be written: whether this is of that kind
 * depends on what was loaded first.
 */
export function alreadySent(): Response {
  const response = new Response(null, {headers: {'x-hono-already-sent': 'true'}})
  if (response.body !== null) throw new Error('There is nothing to be written.')
  return response
}
