/** Words of a length, as people write them. */
export function words(length: number): string {
  return 'Bosun tries how much fits here. '.repeat(Math.ceil(length / 32)).slice(0, length)
}

export function section(text: string): Record<string, unknown> {
  return {type: 'section', text: {type: 'mrkdwn', text}}
}

/** Of the same form as that of Bosun's posts, under another name: a Bosun that runs passes it over. */
export function mark(key: string): Record<string, unknown> {
  return {event_type: 'bosun_check', event_payload: {link: 'check', key}}
}
