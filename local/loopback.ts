const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * Whether a `Host` header names this machine. A page from elsewhere whose own name leads here by now (DNS rebinding) asks
 * under that name, and is told apart by nothing else: for its browser all is of one origin.
 */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host)
}
