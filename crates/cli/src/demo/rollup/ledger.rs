//! Accounts and transfers among them: the circuit's inputs, for a demonstration.

use frumious_curves::bn254::Fr;
use frumious_curves::engine::ResidueField;
use frumious_r1cs::Inputs;
use frumious_r1cs::gadgets::baby_jubjub::Scalar;
use frumious_r1cs::gadgets::eddsa::{SecretKey, Signature};
use frumious_r1cs::gadgets::merkle::SparseTree;
use frumious_r1cs::gadgets::poseidon::hash_native;

use serde_json::{Map, Value, json};

use super::circuit::{DEPTH, PATHS, SINGLE};

/// Inputs of the circuit for `transfers` between `2·transfers + 2` accounts, valid ones, and always the same.
pub fn inputs(transfers: u32) -> Inputs<Fr> {
    let mut ledger = Ledger::new(2 * transfers as usize + 2);
    let mut inputs = Inputs::new();
    inputs.set("rootIn", &[*ledger.tree.root()]);
    for t in 0..transfers as usize {
        let n = ledger.accounts.len();
        let (from, to) = (t * 3 % n, (t * 3 + 1 + t % 2) % n);
        ledger.transfer(from, to, 1000 + 37 * t as u64, &mut inputs);
    }
    inputs
}

/// The same integer in the circuit's field, which is larger.
fn to_fr(scalar: &Scalar) -> Fr {
    let value = Fr::from_canonical_limbs(scalar.to_canonical_limbs());
    value
        .into_option()
        .expect("the order of the curve's subgroup is smaller")
}

/// The inputs as circom's programs take them.
pub fn to_json(inputs: &Inputs<Fr>) -> String {
    let decimals = |name: &str| -> Vec<String> {
        let values = inputs.get(name).unwrap_or_default();
        values
            .iter()
            .map(ResidueField::to_decimal_vartime)
            .collect()
    };
    let mut object = Map::new();
    object.insert("rootIn".into(), json!(decimals("rootIn")[0]));
    for name in SINGLE {
        object.insert(name.into(), json!(decimals(name)));
    }
    for name in PATHS {
        let decimals = decimals(name);
        let paths: Vec<&[String]> = decimals.chunks(DEPTH).collect();
        object.insert(name.into(), json!(paths));
    }
    Value::Object(object).to_string()
}

struct Account {
    key: SecretKey,
    /// Coordinates of the public key.
    public: [Fr; 2],
    /// The leaf.
    index: u64,
    balance: u64,
    nonce: u64,
}

impl Account {
    fn leaf(&self) -> Fr {
        let [x, y] = self.public;
        hash_native(&[x, y, Fr::from_u64(self.balance), Fr::from_u64(self.nonce)])
    }

    /// Appends what the circuit asks of it; `side` is `S` or `R`.
    fn show(&self, side: &str, inputs: &mut Inputs<Fr>) {
        let [x, y] = self.public;
        let values = [
            ("idx", Fr::from_u64(self.index)),
            ("ax", x),
            ("ay", y),
            ("bal", Fr::from_u64(self.balance)),
            ("nonce", Fr::from_u64(self.nonce)),
        ];
        for (name, value) in values {
            inputs.extend(&format!("{name}{side}"), &[value]);
        }
    }
}

struct Ledger {
    accounts: Vec<Account>,
    tree: SparseTree<Fr, fn(&Fr, &Fr) -> Fr>,
}

impl Ledger {
    fn new(n_accounts: usize) -> Self {
        let accounts: Vec<Account> = (0..n_accounts as u64).map(account).collect();
        let hash: fn(&Fr, &Fr) -> Fr = |left, right| hash_native(&[*left, *right]);
        let mut tree = SparseTree::new(DEPTH, Fr::ZERO, hash);
        for account in &accounts {
            tree.set(account.index, account.leaf());
        }
        Self { accounts, tree }
    }

    fn transfer(&mut self, from: usize, to: usize, amount: u64, inputs: &mut Inputs<Fr>) {
        let receiver = &self.accounts[to];
        let (index, key) = (receiver.index, receiver.public[0]);
        let sender = &self.accounts[from];
        let fields = [sender.index, index].map(Fr::from_u64);
        let (amount_fr, nonce) = (Fr::from_u64(amount), Fr::from_u64(sender.nonce));
        let message = hash_native(&[fields[0], fields[1], key, amount_fr, nonce]);
        let Signature { r, s } = sender.key.sign(&message);
        for (name, value) in [
            ("amount", amount_fr),
            ("R8x", r.x),
            ("R8y", r.y),
            ("S", to_fr(&s)),
        ] {
            inputs.extend(name, &[value]);
        }
        let sides = [(from, "S", PATHS[0]), (to, "R", PATHS[1])];
        for (account, side, path) in sides {
            let account = &mut self.accounts[account];
            account.show(side, inputs);
            inputs.extend(path, &self.tree.path(account.index));
            if side == "S" {
                account.balance -= amount;
                account.nonce += 1;
            } else {
                account.balance += amount;
            }
            self.tree.set(account.index, account.leaf());
        }
    }
}

/// Account `number`. Its key is no secret: everything here is made up.
fn account(number: u64) -> Account {
    let scalar = Scalar::from_u64(1_000_003 * (number + 1));
    let key = SecretKey::new(scalar).expect("not zero");
    let point = key.public_key().point();
    Account {
        key,
        public: [point.x, point.y],
        // An odd factor: different leaves for different numbers below 2^24.
        index: number.wrapping_mul(0x9e_3779) % (1 << DEPTH),
        balance: 1_000_000_000 + number,
        nonce: number % 5,
    }
}
