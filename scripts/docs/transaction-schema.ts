import { z } from 'zod';
import { Transaction } from '../../shared/model/transactions/transaction.ts';

/** Generates the JSON Schema (2020-12) of a line of the transaction log. */
export function toTransactionSchema(): { path: string; text: string } {
  const { $schema, ...rest } = z.toJSONSchema(Transaction, { io: 'output', target: 'draft-2020-12' });
  const head = {
    $schema,
    $id: 'transaction-log.line',
    title: 'A line of .webgal_agent/transactions.log',
    description: 'In the file, the last property is `mark`, the signature of the installation that wrote the line.',
  };
  return { path: 'schemas/transaction-log.line.json', text: `${JSON.stringify({ ...head, ...rest }, null, 2)}\n` };
}
