/**
 * Markdown as Slack reads it back in `text`: bold, italics and strikes in mrkdwn, headings without
 * their marks, bullets as `•`, links as `<url|label>`. Code stays as it is.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function toMrkdwn(markdown: string): string {
  return markdown
    .split(/(```[\s\S]*?(?:```|$)|`[^`\n]*`)/)
    .map((piece, index) => (index % 2 === 1 ? piece : toMrkdwnPiece(piece)))
    .join('')
}

/** Stands for `*` while italics are rewritten: no text carries this character. */
const bold = '\u0001'

function toMrkdwnPiece(text: string): string {
  return text
    .replace(/^#{1,6} +(.*)$/gm, '$1')
    .replace(/^( *)[-*+] +/gm, '$1• ')
    .replace(/!?\[([^\]\n]+)\]\(([^()\s]+)\)/g, '<$2|$1>')
    .replace(/\*\*(\S(?:[^\n]*?\S)?)\*\*/g, `${bold}$1${bold}`)
    .replace(/__(\S(?:[^\n]*?\S)?)__/g, `${bold}$1${bold}`)
    .replace(/\*(\S(?:[^*\n]*\S)?)\*/g, '_$1_')
    .replace(/~~(\S(?:[^\n]*?\S)?)~~/g, '~$1~')
    .replaceAll(bold, '*')
}
