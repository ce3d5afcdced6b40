import type {MessageView} from '../../page-feed/contract.ts'

/** What stands below a streamed message: dots before its first words, a mark when it broke off. */
export function StreamMark({message}: {message: MessageView}) {
  const {streaming, text, blocks = []} = message
  if (streaming === 'errored') {
    return <p className="stream-broken">⚠️ This message was not finished</p>
  }
  const isEmpty = text.trim() === '' && blocks.length === 0
  if (streaming !== 'in_progress' || !isEmpty) return null
  return (
    <span className="dots stream-dots" role="img" aria-label="Writing">
      <i />
      <i />
      <i />
    </span>
  )
}
