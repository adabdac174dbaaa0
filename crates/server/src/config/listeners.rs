//! Addresses that are not safe, or that cannot be bound.

use super::{Address, Config};

/// The reason for which the listeners of a configuration are refused.
pub(super) fn fault(config: &Config) -> Option<String> {
    let of_clients = fault_of_clients(config);
    let of_metrics = || {
        let address = config
            .metrics
            .as_ref()
            .filter(|address| !address.is_local());
        let address = address.filter(|_| !config.behind_proxy)?;
        Some(format!(
            "metrics: {address} is open to other machines, and nobody is asked there: loopback, or behind_proxy = true"
        ))
    };
    let of_fronts = || {
        let address = fronts(config)
            .into_iter()
            .flatten()
            .find(|address| !address.is_local())?;
        Some(format!("fronts: {address}: loopback or a Unix socket only"))
    };
    of_clients
        .or_else(of_metrics)
        .or_else(of_fronts)
        .or_else(|| repeated(config))
}

fn fault_of_clients(config: &Config) -> Option<String> {
    if config.behind_proxy && config.tokens.is_empty() {
        return Some(
            "behind_proxy = true brings requests of other machines here: it needs [[tokens]]"
                .into(),
        );
    }
    let address = Some(&config.listen).filter(|address| !address.is_local())?;
    if config.tokens.is_empty() {
        return Some(format!(
            "{address} is open to other machines: it needs [[tokens]]"
        ));
    }
    let is_in_the_clear = config.tls.is_none() && !config.behind_proxy;
    is_in_the_clear.then(|| {
        format!("{address} is open to other machines: it needs [tls], or behind_proxy = true")
    })
}

fn fronts(config: &Config) -> [Option<&Address>; 3] {
    let fronts = &config.fronts;
    [
        fronts.rapidsnark.as_ref().map(|front| &front.listen),
        fronts.zklogin.as_ref().map(|front| &front.listen),
        fronts.prover_server.as_ref().map(|front| &front.listen),
    ]
}

/// The addresses of all listeners.
pub fn addresses(config: &Config) -> impl Iterator<Item = &Address> {
    let others = [config.metrics.as_ref()].into_iter().chain(fronts(config));
    [&config.listen].into_iter().chain(others.flatten())
}

/// Of two listeners at one address a start could bind the first only. Port 0 is another one each time.
fn repeated(config: &Config) -> Option<String> {
    let mut seen = Vec::new();
    for address in addresses(config) {
        let is_any = matches!(address, Address::Ip(address) if address.port() == 0);
        if seen.contains(&address) && !is_any {
            return Some(format!("{address} is the address of two listeners"));
        }
        seen.push(address);
    }
    None
}
