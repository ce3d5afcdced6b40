/** A path as it may be kept and repeated: the address of a webhook is a credential, so its last four characters must do. */
export function withoutSecret(path: string): string {
  return path.replace(
    /(\/webhooks\/+automations\/+)(.+)$/is,
    (_path, address: string, secret: string) => `${address}…${secret.slice(-4)}`,
  )
}
