/** What is logged is not looked at. */
export const SILENT_LOG = {
  info: (): void => undefined,
  warn: (): void => undefined,
  error: (): void => undefined,
}
