/** A file as the act `post` takes it. */
export interface PostedFile {
  name: string
  base64: string
}

/** Slack takes 1 GB; this page sends JSON, and says so before a tab dies of it. */
export const maxFileBytes = 50_000_000

export async function toPosted(file: File): Promise<PostedFile> {
  return {name: file.name, base64: await base64Of(file)}
}

/** The reader is the browser's own, which does not build the bytes up as text. */
function base64Of(file: File): Promise<string> {
  const {promise, resolve, reject} = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('load', () => {
    const url = typeof reader.result === 'string' ? reader.result : ''
    resolve(url.slice(url.indexOf(',') + 1))
  })
  reader.addEventListener('error', () => {
    reject(new Error(`${file.name} cannot be read. Is it a folder?`, {cause: reader.error}))
  })
  reader.readAsDataURL(file)
  return promise
}

/** Some browsers paste pictures without a name of their own: two of them are told apart by their time. */
export function filesIn(transfer: DataTransfer): File[] {
  return [...transfer.files]
}
