// Loaded into a process in front of everything else (`node --import`): its clock is SHIFT_MS ahead of everybody else's.
const shiftMs = Number(process.env['SHIFT_MS'] ?? 0)
const read = Date.now
Date.now = () => read() + shiftMs
globalThis.Date = new Proxy(Date, {
  construct: (target, args: unknown[]) =>
    Reflect.construct(target, args.length === 0 ? [Date.now()] : args) as Date,
})
